// Loads objects by ID without N+1 queries: all loads of one tick are one statement. A mutation
// clears the loaders of its request, so that its payload shows the new state.

import DataLoader from 'dataloader';
import type { Context } from '../context.ts';
import type { GraphContext } from './builder.ts';

type Loader<T> = DataLoader<string, T | null>;
type LoadersByContext = WeakMap<Context, Loader<unknown>>;

type Read<T> = (context: Context, ids: readonly string[]) => Promise<readonly T[]>;
type Load<T> = (graph: GraphContext, id: string) => Promise<T | null>;

const LOADERS_TO_CLEAR: LoadersByContext[] = [];

/**
 * `read` returns the rows that exist and belong to the viewer's organization, in any order, each at
 * most once. A row that is missing is loaded as null.
 */
export function loaderById<T extends { readonly id: string }>(read: Read<T>): Load<T> {
  return loaderBy(read, ({ id }) => id);
}

/** Same as `loaderById`, by another unique field. */
export function loaderBy<T>(read: Read<T>, keyOf: (row: T) => string | null | undefined): Load<T> {
  const loaders = new WeakMap<Context, Loader<T>>();
  LOADERS_TO_CLEAR.push(loaders as unknown as LoadersByContext);
  return ({ context }, id) => {
    let loader = loaders.get(context);
    if (loader === undefined) {
      loader = new DataLoader(async ids => inOrder(ids, await read(context, ids), keyOf));
      loaders.set(context, loader);
    }
    return loader.load(id);
  };
}

/** Clears the loaders of the request, because a change can make their rows outdated. */
export function forgetLoaded({ context }: GraphContext): void {
  for (const loaders of LOADERS_TO_CLEAR) loaders.delete(context);
}

function inOrder<T>(
  ids: readonly string[],
  rows: readonly T[],
  keyOf: (row: T) => string | null | undefined,
): (T | null)[] {
  const byKey = new Map(rows.map(row => [keyOf(row), row]));
  return ids.map(id => byKey.get(id) ?? null);
}
