// Relay connections over keyset pages. Forward only; `first` is required; both `edges` and `nodes`
// are exposed.

import type {
  ArgBuilder,
  InputFieldMap,
  InputShapeFromFields,
  InterfaceRef,
  ObjectRef,
} from '@pothos/core';
import type { Context } from '../context.ts';
import {
  cursorOf,
  type Listed,
  PAGE_SIZE_MAX,
  type Page,
  type PageRequest,
} from '../database/page.ts';
import type { AccessRule } from '../permit.ts';
import { builder, type SchemaTypes } from './builder.ts';

type Connection<T> = Page<T> & { readonly isFirstPage: boolean };

/** Declares `<Name>Connection` and `<Name>Edge`. Call it once per node type. */
export function connectionType<T extends Listed>(
  name: string,
  node: ObjectRef<SchemaTypes, T>,
): ObjectRef<SchemaTypes, Connection<T>> {
  return connectionTypeBy(name, node, cursorOf);
}

/** Same as `connectionType`, for items with their own cursor format. */
export function connectionTypeBy<T extends object>(
  name: string,
  node: ObjectRef<SchemaTypes, T> | InterfaceRef<SchemaTypes, T>,
  cursorOfItem: (item: T) => string,
): ObjectRef<SchemaTypes, Connection<T>> {
  const noun = name.endsWith('Item') ? name : `${name} item`;
  const edge = builder.objectRef<T>(`${name}Edge`).implement({
    description: `One ${noun} and its cursor.`,
    authScopes: { member: true },
    fields: t => ({
      cursor: t.string({
        nullable: false,
        description: 'The cursor of this item. Pass it as `after` to get the items that follow.',
        resolve: item => cursorOfItem(item),
      }),
      node: t.field({
        type: node,
        nullable: false,
        description: 'The item.',
        // Pothos's types cannot infer that T, a list item, is not itself a list.
        resolve: item => item as never,
      }),
    }),
  });
  return builder.objectRef<Connection<T>>(`${name}Connection`).implement({
    description: `A page of ${noun}s, newest first.`,
    authScopes: { member: true },
    fields: t => ({
      edges: t.field({
        type: [edge],
        nullable: false,
        description: 'The items on this page, with their cursors.',
        // The field with the `first` argument already accounts for the number of items.
        complexity: { field: 1, multiplier: 1 },
        resolve: ({ items }) => items,
      }),
      nodes: t.field({
        type: [node],
        nullable: false,
        description: 'The items on this page, without cursors.',
        complexity: { field: 1, multiplier: 1 },
        resolve: ({ items }) => items,
      }),
      pageInfo: t.field({
        type: builder.pageInfoRef(),
        nullable: false,
        description:
          'Pagination information: whether there are more pages, and the cursors of this page.',
        resolve: ({ items, hasNextPage, isFirstPage }) => ({
          hasNextPage,
          hasPreviousPage: !isFirstPage,
          startCursor: cursorAt(items, 0, cursorOfItem),
          endCursor: cursorAt(items, -1, cursorOfItem),
        }),
      }),
    }),
  });
}

/** The arguments of every connection field. */
export function pageArgs(arg: ArgBuilder<SchemaTypes>) {
  return {
    first: arg.int({
      required: true,
      description: `The maximum number of items to return, from 1 to ${PAGE_SIZE_MAX}.`,
    }),
    after: arg.string({ description: 'Returns items after this cursor.' }),
  };
}

/** A connection costs as much as a full page, even if it returns fewer items. */
export function pageCost({ first }: { first: number }): { field: number; multiplier: number } {
  // `readPage` rejects a size out of range; until then it costs as much as the largest page.
  const size = first >= 1 && first <= PAGE_SIZE_MAX ? first : PAGE_SIZE_MAX;
  return { field: 1, multiplier: size };
}

/** The result of a connection field. */
export function connectionOfPage<T>(page: Page<T>, { after }: PageRequest): Connection<T> {
  return { ...page, isFirstPage: after === undefined || after === null };
}

function cursorAt<T>(
  items: readonly T[],
  index: number,
  cursorOfItem: (item: T) => string,
): string | null {
  const item = items.at(index);
  return item === undefined ? null : cursorOfItem(item);
}

type PageQuery<T, Args extends InputFieldMap> = {
  readonly type: ObjectRef<SchemaTypes, Connection<T>>;
  readonly description: string;
  /** Defaults to members. */
  readonly access?: AccessRule;
  /** Filters, in addition to `first` and `after`. */
  readonly args?: (arg: ArgBuilder<SchemaTypes>) => Args;
  /** Defaults to that of a page. */
  readonly cost?: (args: { first: number } & InputShapeFromFields<NoInfer<Args>>) => {
    field: number;
    multiplier: number;
  };
  readonly page: (
    context: Context,
    page: PageRequest,
    args: InputShapeFromFields<Args>,
  ) => Promise<Page<T>>;
};

/** Adds a root field that lists items in pages. */
export function pageQuery<T, Args extends InputFieldMap = Record<never, never>>(
  name: string,
  { type, description, access = 'member', args, cost = pageCost, page }: PageQuery<T, Args>,
): void {
  builder.queryField(name, t =>
    t.field({
      type,
      nullable: false,
      description,
      authScopes: { [access]: true },
      args: { ...pageArgs(t.arg), ...args?.(t.arg) },
      complexity: cost as typeof pageCost,
      resolve: async (_root, { first, after, ...filter }, { context }) => {
        const request = { first, after };
        const found = await page(context, request, filter as InputShapeFromFields<Args>);
        return connectionOfPage(found, request);
      },
    }),
  );
}
