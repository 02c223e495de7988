import type { EntityManager } from '@mikro-orm/postgresql';
import {
  CONTROL_PLANE_TABLES,
  type RowValues,
  rowFault,
} from '../../../schema/rows/control-plane-rows.ts';
import type { AppDeps } from '../context.ts';
import { kysely } from '../database/kysely.ts';

type PutRows = {
  readonly workspaceId: string;
  /** One of CONTROL_PLANE_TABLES. */
  readonly table: string;
  /** Include the identity, by which repeats are deduplicated. `received_at` defaults to now. */
  readonly rows: readonly RowValues[];
};

/**
 * Stores rows for ClickHouse in the action's transaction. They arrive about a second after the commit,
 * at least once; the warehouse deduplicates them by their identity.
 */
export async function putRows(
  em: EntityManager,
  { clock, newId }: Pick<AppDeps, 'clock' | 'newId'>,
  { workspaceId, table, rows }: PutRows,
): Promise<void> {
  const entry = CONTROL_PLANE_TABLES.get(table);
  if (entry === undefined) throw new Error(`${table} does not accept rows from the control plane`);
  const receivedAt = new Date(clock.nowMs()).toISOString();
  const complete = rows.map(row => ({ received_at: receivedAt, ...row }));
  // Detects a defect of the caller here instead of in ingest's response.
  for (const row of complete) {
    const fault = rowFault(entry, row);
    if (fault !== undefined) throw new Error(`invalid row for ${table}: ${fault}`);
  }
  if (complete.length === 0) return;
  await kysely(em)
    .insertInto('ingest_outbox')
    .values(complete.map(row => ({ id: newId(), workspaceId, tableName: table, row })))
    .execute();
}
