// The document of an export: JSON lines, one per row, by table. It is written while it is read, so no copy of the
// data is stored.

import type { AppDeps } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import type { Maintenance } from '../platform/warehouse/maintenance.ts';
import { warehouseParameters } from './erase-rows.ts';
import type { PersonKey } from './person-key.ts';
import { KEPT_TABLES, PERSONAL_TABLES } from './postgres-tables.ts';
import { WAREHOUSE_TABLES } from './warehouse-tables.ts';

type Reach = Pick<AppDeps, 'database'> & { readonly warehouse: Maintenance };

/** The last line contains the number of rows: without it, the document is incomplete. */
export async function* exportLines(reach: Reach, person: PersonKey): AsyncGenerator<string> {
  let rows = 0;
  for (const { name, isOfPerson } of PERSONAL_TABLES) {
    const found = await reach.database.asSystem(em =>
      rowsOf(
        em,
        sql<{ row: string }>`
          SELECT to_jsonb(stored)::text AS row FROM ${sql.table(name)} AS stored WHERE ${isOfPerson(person)}`,
      ),
    );
    for (const { row } of found) yield lineOf('POSTGRES', name, row);
    rows += found.length;
  }
  for (const { name, isOfPerson } of WAREHOUSE_TABLES) {
    const stored = reach.warehouse.stream(
      `SELECT * FROM ${name} WHERE workspace_id = {workspaceId:UUID} AND (${isOfPerson})`,
      warehouseParameters(person),
    );
    for await (const row of stored) {
      yield lineOf('WAREHOUSE', name, row);
      rows++;
    }
  }
  yield `${JSON.stringify({ complete: true, rows, not_searched: KEPT_TABLES })}\n`;
}

/** The row is JSON text already, whose numbers keep their digits. */
function lineOf(engine: string, table: string, row: string): string {
  return `{"engine":"${engine}","table":"${table}","row":${row.trim()}}\n`;
}
