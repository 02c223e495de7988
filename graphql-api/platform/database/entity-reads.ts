// The page and the lookup by ID that most entities need: of the viewer's organization, of the
// viewer's workspace, or across organizations, for platform admins. The rows are plain objects, because
// creating managed entities costs more than the rest of a read.

import type { EntityClass, EntityManager, FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../context.ts';
import { workspaceOf } from '../permit.ts';
import { reject } from '../rejected.ts';
import { readAcrossTenants } from './across-tenants.ts';
import { numberedSql } from './numbered-sql.ts';
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
  let byIdsText: string | undefined;
  return {
    page: (context, page, filter = {}) =>
      run(context, (em, tenant) =>
        readPage(em, entity, { ...(filter as object), ...tenant } as FilterQuery<T>, page),
      ),
    byIds: (context, ids) =>
      run(context, async (em, tenant) => {
        byIdsText ??= textOfByIds(em, entity, Object.keys(tenant));
        const values = [ids, ...Object.values(tenant)];
        return (await numberedSql(em).executeSql(byIdsText, values)).rows as T[];
      }),
  };
}

/** The IDs and the tenant are parameters, so the text is the same for all requests. */
function textOfByIds<T>(
  em: EntityManager,
  entity: EntityClass<T>,
  tenant: readonly string[],
): string {
  const { tableName, properties } = em.getMetadata(entity);
  const quoted = (name: string) => em.getPlatform().quoteIdentifier(name);
  const columnOf = ({ fieldNames: [column] }: { readonly fieldNames: string[] }) => quoted(column!);
  const columns = listedProperties(em, entity).map(
    property => `${columnOf(property)} AS ${quoted(property.name)}`,
  );
  const isOfTenant = tenant.map(
    (name, index) =>
      ` AND ${columnOf(properties[name as keyof typeof properties])} = $${index + 2}`,
  );
  return `SELECT ${columns.join(', ')} FROM ${quoted(tableName)}
          WHERE id = ANY($1::uuid[])${isOfTenant.join('')}`;
}
