// The page and the lookup by ID that most entities need: of the viewer's organization, of the
// viewer's workspace, or across organizations, for platform admins. The rows are plain objects, because
// creating managed entities costs more than the rest of a read.

import type { EntityClass, EntityManager, FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../context.ts';
import { workspaceOf } from '../permit.ts';
import { reject } from '../rejected.ts';
import { readAcrossTenants } from './across-tenants.ts';
import { rowsOf, sql } from './kysely.ts';
import { type Listed, listedProperties, type Page, type PageRequest, readPage } from './page.ts';

type EntityReads<T> = {
  readonly page: (context: Context, page: PageRequest, filter?: FilterQuery<T>) => Promise<Page<T>>;
  readonly byIds: (context: Context, ids: readonly string[]) => Promise<readonly T[]>;
};

/** `column` names the organization that a row belongs to. */
export function ownReads<T extends Listed>(
  entity: EntityClass<T>,
  column: keyof T = 'organizationId' as keyof T,
): EntityReads<T> {
  return readsWith(entity, async (context, read) => {
    const { organizationId } = context.viewer ?? reject('UNAUTHENTICATED');
    return read(await context.read(), { [column]: organizationId });
  });
}

/** For entities of a workspace: only those of the viewer's workspace. */
export function workspaceReads<T extends Listed & { readonly workspaceId: string }>(
  entity: EntityClass<T>,
): EntityReads<T> {
  return readsWith(entity, async (context, read) => {
    const workspaceId = workspaceOf(context.viewer);
    return read(await context.read(), { workspaceId });
  });
}

export function platformReads<T extends Listed>(entity: EntityClass<T>): EntityReads<T> {
  return readsWith(entity, (context, read) => readAcrossTenants(context, em => read(em, {})));
}

type Read<R> = (em: EntityManager, tenant: object) => Promise<R>;

function readsWith<T extends Listed>(
  entity: EntityClass<T>,
  run: <R>(context: Context, read: Read<R>) => Promise<R>,
): EntityReads<T> {
  return {
    page: (context, page, filter = {}) =>
      run(context, (em, tenant) =>
        readPage(em, entity, { ...(filter as object), ...tenant } as FilterQuery<T>, page),
      ),
    byIds: (context, ids) =>
      run(context, (em, tenant) => {
        const { tableName } = em.getMetadata(entity);
        const columns = listedProperties(em, entity).map(
          ({ name, fieldNames: [column] }) => sql`${sql.ref(column!)} AS ${sql.ref(name)}`,
        );
        const isOfTenant = Object.entries(tenant).map(
          ([column, id]) => sql`AND ${sql.ref(column)} = ${id}`,
        );
        return rowsOf(
          em,
          sql<T>`SELECT ${sql.join(columns)} FROM ${sql.table(tableName)}
                 WHERE id = ANY(${ids}::uuid[]) ${sql.join(isOfTenant, sql` `)}`,
        );
      }),
  };
}
