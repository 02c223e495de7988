// Reads one page of a list, newest first, for GraphQL connections and REST lists. Keyset pagination, so
// that items added in between neither repeat nor hide an item.

import type { EntityClass, EntityManager, FilterQuery } from '@mikro-orm/postgresql';
import { reject } from '../rejected.ts';

export const PAGE_SIZE_MAX = 100;

export type PageRequest = {
  readonly first: number;
  /** A cursor from an earlier page. */
  readonly after?: string | null | undefined;
};

export type Listed = { readonly id: string; readonly createdAt: Date };

export type Page<T> = {
  readonly items: readonly T[];
  readonly hasNextPage: boolean;
};

export type Position = { readonly ms: number; readonly id: string };

/** Returns a page of the rows that match `where`, which must name the tenant. */
export async function readPage<T extends Listed>(
  em: EntityManager,
  entity: EntityClass<T>,
  where: FilterQuery<T>,
  { first, after }: PageRequest,
): Promise<Page<T>> {
  requirePageSize(first);
  const position = after === undefined || after === null ? undefined : decodeCursor(after);
  const { tableName } = em.getMetadata(entity);
  const query = em
    .createQueryBuilder(entity, 'item')
    .select(listedProperties(em, entity).map(({ name }) => name) as never)
    .where(where as never);
  if (position !== undefined) {
    // The row has its time in microseconds, the cursor in milliseconds. If the row was deleted, rows
    // of the same millisecond can repeat, but none is skipped.
    query.andWhere(
      `(item.created_at, item.id) < (coalesce((select created_at from "${tableName}" where id = ?), ?), ?)`,
      [position.id, new Date(position.ms + 1), position.id],
    );
  }
  const rows = await query
    .orderBy({ createdAt: 'desc', id: 'desc' } as never)
    .limit(first + 1)
    .execute<T[]>('all');
  return { items: rows.slice(0, first), hasNextPage: rows.length > first };
}

/** Excludes lazy columns, which are too large for a list. */
export function listedProperties<T>(em: EntityManager, entity: EntityClass<T>) {
  return em.getMetadata(entity).props.filter(({ lazy }) => lazy !== true);
}

export function requirePageSize(first: number): void {
  if (!Number.isInteger(first) || first < 1 || first > PAGE_SIZE_MAX)
    reject('INVALID_PAGE', { field: ['first'] });
}

export function cursorOf({ id, createdAt }: Listed): string {
  return Buffer.from(`${createdAt.getTime()}:${id}`).toString('base64url');
}

/** Milliseconds until the year 2286, which Postgres can represent. */
const POSITION = /^(\d{1,13}):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const CURSOR_LENGTH_MAX = 80;

export function decodeCursor(cursor: string): Position {
  const inside = cursor.length > CURSOR_LENGTH_MAX ? '' : Buffer.from(cursor, 'base64url');
  const match = POSITION.exec(inside.toString('latin1'));
  if (match === null) return reject('INVALID_PAGE', { field: ['after'] });
  return { ms: Number(match[1]), id: match[2]! };
}
