// Which cells there are is no secret: they are regions. Whose workspaces they hold is.

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

/** Where a new workspace may be made. */
export async function openRegions(context: Context): Promise<readonly string[]> {
  const em = await context.read();
  const cells = await em.find(Cell, { isEnabled: true }, { fields: ['region'] });
  return [...new Set(cells.map(({ region }) => region))].sort();
}

export type WorkspaceCount = { readonly id: string; readonly workspaceCount: number };

/** By cell, of all organisations; cells without any are left out. */
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
