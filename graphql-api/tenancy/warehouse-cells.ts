import type { Database } from '../platform/database/database.ts';
import { reject } from '../platform/rejected.ts';
import type { Cells } from '../platform/warehouse/clickhouse.ts';
import { Cell } from './cell.entity.ts';
import { Workspace } from './workspace.entity.ts';

/** About 100 bytes each. */
const REMEMBERED_MAX = 50_000;

/**
 * Cached, because a workspace never leaves its cell. Read in a separate short transaction, because
 * a report must not hold a Postgres connection while it waits for ClickHouse.
 */
export function createCells(database: Database): Cells {
  const slugs = new Map<string, string>();
  return {
    async slugOf(organizationId, workspaceId) {
      const known = slugs.get(workspaceId);
      if (known !== undefined) return known;
      const slug = await database.asTenant(organizationId, async em => {
        const where = { id: workspaceId, organizationId };
        const workspace = await em.findOne(Workspace, where, { fields: ['cellId'] });
        return workspace && (await em.findOne(Cell, { id: workspace.cellId }))?.slug;
      });
      if (!slug) return reject('WORKSPACE_FORBIDDEN');
      if (slugs.size >= REMEMBERED_MAX) slugs.clear();
      slugs.set(workspaceId, slug);
      return slug;
    },
  };
}
