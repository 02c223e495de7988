// One pass over both engines: counts the rows of a person, deletes them, and counts again. A pass may stop anywhere
// and be run again.

import type { AppDeps } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import type { Maintenance } from '../platform/warehouse/maintenance.ts';
import type { PersonKey } from './person-key.ts';
import { KEPT_TABLES, PERSONAL_TABLES, type PersonalTable } from './postgres-tables.ts';
import { WAREHOUSE_TABLES, type WarehouseTable } from './warehouse-tables.ts';

/** The result of an erasure for one table. */
export type TableReceipt = {
  readonly engine: 'POSTGRES' | 'WAREHOUSE' | 'INGEST';
  readonly table: string;
  readonly outcome: 'DELETED' | 'REDACTED' | 'KEPT';
  /** Rows of the person before the erasure, without copies; null if they are not counted. */
  readonly before: number | null;
  /** Rows that arrived after the first pass and were deleted. */
  readonly later: number;
  /** Rows of the person after the most recent pass; null before the first, or if they are not counted. */
  readonly left: number | null;
  /** Why rows are kept. */
  readonly reason: string | null;
};

type Counts = ReadonlyMap<string, number>;
type Reach = Pick<AppDeps, 'database'> & { readonly warehouse: Maintenance };

/** The number of delivery names that are deleted at a time. */
const DELIVERIES_MAX = 10_000;

export function warehouseParameters({ nameHashes, deviceHashes }: PersonKey) {
  return { names: nameHashes, devices: deviceHashes };
}

/** The rows of the person by table. */
export async function countRows(
  reach: Reach,
  person: PersonKey,
  signal?: AbortSignal,
): Promise<Counts> {
  const counts = new Map<string, number>();
  for (const table of PERSONAL_TABLES) {
    signal?.throwIfAborted();
    counts.set(table.name, await reach.database.asSystem(em => countIn(em, table, person)));
  }
  for (const table of WAREHOUSE_TABLES) {
    signal?.throwIfAborted();
    counts.set(table.name, await countInWarehouse(reach.warehouse, table, person));
  }
  return counts;
}

/** Before anything is deleted. */
export function openReceipt(counts: Counts): TableReceipt[] {
  const begun = { later: 0, left: null, reason: null };
  return [
    ...PERSONAL_TABLES.map(({ name, outcome, reason = null }) => ({
      ...begun,
      engine: 'POSTGRES' as const,
      table: name,
      outcome,
      before: counts.get(name) ?? 0,
      reason,
    })),
    ...WAREHOUSE_TABLES.map(({ name }) => ({
      ...begun,
      engine: 'WAREHOUSE' as const,
      table: name,
      outcome: 'DELETED' as const,
      before: counts.get(name) ?? 0,
    })),
    ...Object.entries(KEPT_TABLES).map(([table, reason]) => ({
      engine: 'POSTGRES' as const,
      table,
      outcome: 'KEPT' as const,
      before: null,
      later: 0,
      left: null,
      reason,
    })),
  ];
}

/**
 * Adds the counts of a pass to the receipt. `found` is undefined for the first pass, whose rows are
 * `before`.
 */
export function addPass(
  receipt: readonly TableReceipt[],
  left: Counts,
  found?: Counts,
): TableReceipt[] {
  return receipt.map(line =>
    line.outcome === 'KEPT'
      ? line
      : {
          ...line,
          later: line.later + (found?.get(line.table) ?? 0),
          left: left.get(line.table) ?? 0,
        },
  );
}

/** Deletes the rows. Rows that others refer to come last, in Postgres and in the warehouse. */
export async function eraseRows(
  reach: Reach,
  person: PersonKey,
  { now, signal }: { readonly now: Date; readonly signal: AbortSignal },
): Promise<void> {
  await eraseDeliveryNames(reach, person);
  signal.throwIfAborted();
  await reach.database.asSystem(async em => {
    for (const table of PERSONAL_TABLES) await rowsOf(em, removalOf(table, person, now));
  });
  await eraseFromWarehouse(reach.warehouse, person, signal);
}

export async function eraseFromWarehouse(
  warehouse: Maintenance,
  person: PersonKey,
  signal: AbortSignal,
): Promise<void> {
  const parameters = warehouseParameters(person);
  for (const { name, isOfPerson } of WAREHOUSE_TABLES) {
    signal.throwIfAborted();
    const stored = await warehouse.rows(
      `SELECT 1 FROM ${name}
       WHERE workspace_id = {workspaceId:UUID} AND (${isOfPerson}) LIMIT 1`,
      parameters,
    );
    // A mutation writes even if it matches nothing.
    if (stored.length > 0) await warehouse.remove(name, isOfPerson, parameters);
  }
}

function removalOf({ name, isOfPerson, remove }: PersonalTable, person: PersonKey, now: Date) {
  if (remove !== undefined) return remove(person, now);
  return sql`DELETE FROM ${sql.table(name)} WHERE ${isOfPerson(person)}`;
}

/** The outbound events about the person's deliveries, under IDs derived from the delivery IDs. */
async function eraseDeliveryNames({ database, warehouse }: Reach, person: PersonKey) {
  const deliveries = WAREHOUSE_TABLES.find(({ name }) => name === 'deliveries_raw')!;
  const found = await warehouse.rows<{ id: string }>(
    `SELECT DISTINCT toString(delivery_id) AS id FROM deliveries_raw
     WHERE workspace_id = {workspaceId:UUID} AND (${deliveries.isOfPerson})`,
    warehouseParameters(person),
  );
  const ids = found.map(({ id }) => id);
  for (let from = 0; from < ids.length; from += DELIVERIES_MAX) {
    const some = ids.slice(from, from + DELIVERIES_MAX);
    await database.asSystem(em =>
      rowsOf(
        em,
        sql`DELETE FROM delivery_names WHERE name = ANY (${some}::uuid[]) OR person = ANY (${some}::uuid[])`,
      ),
    );
  }
}

async function countIn(
  em: Parameters<typeof rowsOf>[0],
  { name, isOfPerson }: PersonalTable,
  person: PersonKey,
): Promise<number> {
  const [row] = await rowsOf(
    em,
    sql<{ rows: number }>`
      SELECT count(*)::int AS rows FROM ${sql.table(name)} WHERE ${isOfPerson(person)}`,
  );
  return row?.rows ?? 0;
}

/** Counts the copies of a row once, so that the count stays the same while ClickHouse merges them. */
async function countInWarehouse(
  warehouse: Maintenance,
  { name, key, isOfPerson, isCopy = '0' }: WarehouseTable,
  person: PersonKey,
): Promise<number> {
  const [row] = await warehouse.rows<{ rows: number }>(
    `SELECT uniqExact(${key}) AS rows FROM ${name}
     WHERE workspace_id = {workspaceId:UUID} AND (${isOfPerson}) AND NOT (${isCopy})`,
    warehouseParameters(person),
  );
  return Number(row?.rows ?? 0);
}
