import type { Database } from '../platform/database/database.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import type { Cells } from '../platform/warehouse/clickhouse.ts';
import { Cell } from './cell.entity.ts';
import { Workspace } from './workspace.entity.ts';

/** About 100 bytes each. */
const REMEMBERED_MAX = 50_000;
/** After a workspace was moved, reports read its former cell for at most this long. */
const REMEMBERED_MS = 1_000;

/**
 * Cached, because many reports are of one page. Read in a separate short transaction, because a report must
 * not hold a Postgres connection while it waits for ClickHouse.
 */
export function createCells(database: Database, clock: { nowMs(): number }): Cells {
  const slugs = new Map<string, { readonly slug: string; readonly untilMs: number }>();
  return {
    async slugOf(organizationId, workspaceId) {
      const known = slugs.get(workspaceId);
      // Before the read: a move that is committed during it counts from then on.
      const nowMs = clock.nowMs();
      if (known !== undefined && known.untilMs > nowMs) return known.slug;
      const slug = await database.asTenant(organizationId, async em => {
        const where = { id: workspaceId, organizationId };
        const workspace = await em.findOne(Workspace, where, { fields: ['cellId'] });
        return workspace && (await em.findOne(Cell, { id: workspace.cellId }))?.slug;
      });
      if (!slug) return reject('WORKSPACE_FORBIDDEN');
      if (slugs.size >= REMEMBERED_MAX) slugs.clear();
      slugs.set(workspaceId, { slug, untilMs: nowMs + REMEMBERED_MS });
      return slug;
    },
    async otherSlugsOf(workspaceId) {
      const cells = await database.asSystem(em =>
        rowsOf(
          em,
          sql<{ slug: string }>`
            SELECT cells.slug FROM cell_moves AS move
            JOIN workspaces ON workspaces.id = move.workspace_id
            JOIN cells ON cells.id IN (move.from_cell_id, move.to_cell_id)
            WHERE move.workspace_id = ${workspaceId} AND move.finished_at IS NULL
              AND cells.id <> workspaces.cell_id`,
        ),
      );
      return cells.map(({ slug }) => slug);
    },
  };
}
