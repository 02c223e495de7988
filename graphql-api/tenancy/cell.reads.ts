// The list of cells is not confidential, since cells are regions. Their workspaces are.

import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { Cell } from './cell.entity.ts';

export async function cellsPage(context: Context, page: PageRequest): Promise<Page<Cell>> {
  return readAcrossTenants(context, em => readPage(em, Cell, {}, page));
}

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

export type WorkspaceCount = { readonly id: string; readonly workspaceCount: number };

/** Counts workspaces of all organizations by cell. Cells without workspaces are left out. */
export async function workspaceCountsByCells(
  context: Context,
  ids: readonly string[],
): Promise<readonly WorkspaceCount[]> {
  return readAcrossTenants(context, em =>
    em.execute<WorkspaceCount[]>(
      `SELECT cell_id AS id, count(*)::int AS "workspaceCount" FROM workspaces
       WHERE cell_id = ANY (?::uuid[]) GROUP BY cell_id`,
      [`{${ids.join()}}`],
    ),
  );
}
