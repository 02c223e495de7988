// Loading by id without N+1: what one tick asks for is one statement. A loader forgets when the
// request changes something, so that payloads of later mutations show what is there then.

import DataLoader from 'dataloader';
import type { Context } from '../context.ts';
import type { GraphContext } from './builder.ts';

type Loader<T> = DataLoader<string, T | null>;
type LoadersByContext = WeakMap<Context, Loader<unknown>>;

type Read<T> = (context: Context, ids: readonly string[]) => Promise<readonly T[]>;
type Load<T> = (graph: GraphContext, id: string) => Promise<T | null>;

const forgetful: LoadersByContext[] = [];

/**
 * `read` gives those of the ids that are there and the viewer's, in any order, each at most once.
 * What is missing is null: not there and not yours look the same.
 */
export function loaderById<T extends { readonly id: string }>(read: Read<T>): Load<T> {
  return loaderBy(read, ({ id }) => id);
}

/** The same by another field, which no two rows share. */
export function loaderBy<T>(read: Read<T>, keyOf: (row: T) => string | null | undefined): Load<T> {
  const loaders = new WeakMap<Context, Loader<T>>();
  forgetful.push(loaders as unknown as LoadersByContext);
  return ({ context }, id) => {
    let loader = loaders.get(context);
    if (loader === undefined) {
      loader = new DataLoader(async ids => inOrder(ids, await read(context, ids), keyOf));
      loaders.set(context, loader);
    }
    return loader.load(id);
  };
}

/** After a change: what was loaded before may be out of date. */
export function forgetLoaded({ context }: GraphContext): void {
  for (const loaders of forgetful) loaders.delete(context);
}

function inOrder<T>(
  ids: readonly string[],
  rows: readonly T[],
  keyOf: (row: T) => string | null | undefined,
): (T | null)[] {
  const byKey = new Map(rows.map(row => [keyOf(row), row]));
  return ids.map(id => byKey.get(id) ?? null);
}
