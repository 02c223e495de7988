import { cursorOf, type Listed, type Page } from '../database/page.ts';

/** A page in the format of all REST lists. */
export function listAnswer<T extends Listed, R>(
  { items, hasNextPage }: Page<T>,
  show: (item: T) => R,
) {
  const last = items.at(-1);
  return {
    status: 'SUCCESS' as const,
    items: items.map(show),
    next_cursor: hasNextPage && last !== undefined ? cursorOf(last) : null,
  };
}
