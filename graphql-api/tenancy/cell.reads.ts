// The list of cells is not confidential, since cells are regions. Their workspaces are.

import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { platformReads } from '../platform/database/entity-reads.ts';
import { kysely, sql } from '../platform/database/kysely.ts';
import { Cell } from './cell.entity.ts';

export const platformCells = platformReads(Cell);

export async function cellsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly Cell[]> {
  return (await context.read()).find(Cell, { id: [...ids] });
}

/** The regions available for a new workspace. */
export async function openRegions(context: Context): Promise<readonly string[]> {
  const em = await context.read();
  const cells = await em.find(Cell, { isEnabled: true }, { fields: ['region'] });
  return [...new Set(cells.map(({ region }) => region))].sort();
}

/** Counts workspaces of all organizations by cell. Cells without workspaces are left out. */
export async function workspaceCountsByCells(context: Context, ids: readonly string[]) {
  return readAcrossTenants(context, em =>
    kysely(em)
      .selectFrom('workspaces')
      .select(['cellId as id', sql<number>`count(*)::int`.as('workspaceCount')])
      .where('cellId', 'in', ids)
      .groupBy('cellId')
      .execute(),
  );
}
