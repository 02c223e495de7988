// The page and the lookup by ID that most entities need: of the viewer's organization, of the
// viewer's workspace, or across organizations, for platform admins.

import type { EntityClass, EntityManager, FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../context.ts';
import { workspaceOf } from '../permit.ts';
import { reject } from '../rejected.ts';
import { readAcrossTenants } from './across-tenants.ts';
import { type Listed, type Page, type PageRequest, readPage } from './page.ts';

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
      run(context, async (em, tenant) => {
        const where = { id: { $in: [...ids] }, ...tenant } as unknown as FilterQuery<T>;
        return (await em.find(entity, where)) as unknown as readonly T[];
      }),
  };
}
