// Deletes the rows of a workspace from the cell that it left. Only parts that existed before a comparison lose rows: a row
// that arrives during it is in another part. A part that is merged meanwhile keeps its rows until the next round.

import type { Transfer } from '../platform/warehouse/transfer.ts';
import { WAREHOUSE_TABLES } from '../privacy/warehouse-tables.ts';

const ROUNDS_MAX = 5;

/** `compare` copies what is missing from the other cell. Returns whether no row is left. */
export async function emptyCell(
  transfer: Transfer,
  compare: () => Promise<unknown>,
): Promise<boolean> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const full = await tablesWithRows(transfer);
    if (full.length === 0) return true;
    const parts = new Map<string, readonly string[]>();
    for (const name of full) parts.set(name, await transfer.partsOf(name));
    await compare();
    for (const [name, names] of parts)
      await transfer.source.remove(name, '_part IN {parts:Array(String)}', { parts: names });
  }
  return (await tablesWithRows(transfer)).length === 0;
}

async function tablesWithRows({ source }: Transfer): Promise<readonly string[]> {
  const full: string[] = [];
  for (const { name } of WAREHOUSE_TABLES) {
    const [counted] = await source.rows<{ rows: number }>(
      `SELECT count() AS rows FROM ${name} WHERE workspace_id = {workspaceId:UUID}`,
    );
    if (Number(counted?.rows ?? 0) > 0) full.push(name);
  }
  return full;
}
