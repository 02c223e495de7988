// Retries or discards rows that ingest rejected permanently.

import { kysely, sql } from '../database/kysely.ts';
import type { OutboxRows } from '../operations.contract.ts';
import { reject } from '../rejected.ts';
import type { ActionScope } from '../run-action.ts';

export type SettledRows = { readonly ids: readonly string[] };

/** The rows are sent within a second. Rows that are rejected again reappear. */
export async function outboxRowRetry(
  scope: ActionScope,
  { ids }: OutboxRows,
): Promise<SettledRows> {
  const rows = await lockRejected(scope, ids);
  await kysely(scope.em)
    .updateTable('ingest_outbox')
    .set({ failedAt: null, retryAt: sql`now()` })
    .where('id', 'in', ids)
    .execute();
  await auditEach(scope, 'outbox_row.retry', rows);
  return { ids };
}

export async function outboxRowDiscard(
  scope: ActionScope,
  { ids }: OutboxRows,
): Promise<SettledRows> {
  const rows = await lockRejected(scope, ids);
  await kysely(scope.em).deleteFrom('ingest_outbox').where('id', 'in', ids).execute();
  await auditEach(scope, 'outbox_row.discard', rows);
  return { ids };
}

type RejectedRow = Awaited<ReturnType<typeof lockRejected>>[number];

/** Locks all of the rows, or rejects. */
async function lockRejected({ em }: ActionScope, ids: readonly string[]) {
  const rows = await kysely(em)
    .selectFrom('ingest_outbox as row')
    .innerJoin('workspaces', 'workspaces.id', 'row.workspaceId')
    .select(['row.id', 'workspaceId', 'organizationId', 'tableName', 'failure'])
    .where('row.id', 'in', ids)
    .where('failedAt', 'is not', null)
    .orderBy('row.id')
    .forUpdate('row')
    .execute();
  if (rows.length === ids.length) return rows;
  return reject('NOT_FOUND', {
    field: ['ids'],
    message: 'Some of these rows do not exist or are no longer rejected. No row was changed.',
  });
}

/** Without the values of the rows, which can be personal data. */
async function auditEach(
  { audit }: ActionScope,
  action: string,
  rows: readonly RejectedRow[],
): Promise<void> {
  for (const { id, workspaceId, organizationId, tableName, failure } of rows) {
    await audit({
      action,
      subjectId: id,
      before: { table: tableName, reason: failure },
      organizationId,
      workspaceId,
    });
  }
}
