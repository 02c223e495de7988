// Relay connections over keyset pages: forward only, `first` required, `nodes` beside `edges`.

import type { ArgBuilder, InterfaceRef, ObjectRef } from '@pothos/core';
import {
  cursorOf,
  type Listed,
  PAGE_SIZE_MAX,
  type Page,
  type PageRequest,
} from '../database/page.ts';
import { builder, type SchemaTypes } from './builder.ts';

type Connection<T> = Page<T> & { readonly isFirstPage: boolean };

/** Declares `<Name>Connection` and `<Name>Edge`, once per noun. */
export function connectionType<T extends Listed>(
  name: string,
  node: ObjectRef<SchemaTypes, T>,
): ObjectRef<SchemaTypes, Connection<T>> {
  return connectionTypeBy(name, node, cursorOf);
}

/** The same for what has a cursor of its own. */
export function connectionTypeBy<T extends object>(
  name: string,
  node: ObjectRef<SchemaTypes, T> | InterfaceRef<SchemaTypes, T>,
  cursorOfItem: (item: T) => string,
): ObjectRef<SchemaTypes, Connection<T>> {
  const edge = builder.objectRef<T>(`${name}Edge`).implement({
    description: `One ${name} in a list and its cursor.`,
    authScopes: { member: true },
    fields: t => ({
      cursor: t.string({
        nullable: false,
        description: 'Where this item stands, for `after`.',
        resolve: item => cursorOfItem(item),
      }),
      node: t.field({
        type: node,
        nullable: false,
        description: 'The item.',
        // A list item is never a list, which Pothos's types can't know of T.
        resolve: item => item as never,
      }),
    }),
  });
  return builder.objectRef<Connection<T>>(`${name}Connection`).implement({
    description: `A page of ${name} items, newest first.`,
    authScopes: { member: true },
    fields: t => ({
      edges: t.field({
        type: [edge],
        nullable: false,
        description: 'The items with their cursors.',
        // How many there can be is counted at the field that has `first`.
        complexity: { field: 1, multiplier: 1 },
        resolve: ({ items }) => items,
      }),
      nodes: t.field({
        type: [node],
        nullable: false,
        description: 'The items without cursors.',
        complexity: { field: 1, multiplier: 1 },
        resolve: ({ items }) => items,
      }),
      pageInfo: t.field({
        type: builder.pageInfoRef(),
        nullable: false,
        description: 'Whether there is more, and from where.',
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
      description: `How many items at most: 1 to ${PAGE_SIZE_MAX}.`,
    }),
    after: arg.string({ description: 'The cursor after which the page starts.' }),
  };
}

/** A connection costs what a full page would. */
export function pageCost({ first }: { first: number }): { field: number; multiplier: number } {
  // A size out of range is refused when the page is read; until then it counts as the largest.
  const size = first >= 1 && first <= PAGE_SIZE_MAX ? first : PAGE_SIZE_MAX;
  return { field: 1, multiplier: size };
}

/** What a connection field returns. */
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
