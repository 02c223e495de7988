// Retries or discards rows that ingest rejected permanently.

import { numberedSql } from '../database/numbered-sql.ts';
import type { OutboxRows } from '../operations.contract.ts';
import { reject } from '../rejected.ts';
import type { ActionScope } from '../run-action.ts';

export type SettledRows = { readonly ids: readonly string[] };

/** The rows are sent within a second. Rows that are rejected again reappear. */
export async function outboxRowRetry(
  scope: ActionScope,
  { ids }: OutboxRows,
): Promise<SettledRows> {
  const rows = await lockRefused(scope, ids);
  await numberedSql(scope.em).executeSql(
    `UPDATE ingest_outbox SET failed_at = NULL, retry_at = now() WHERE id = ANY($1)`,
    [ids],
  );
  await auditEach(scope, 'outbox_row.retry', rows);
  return { ids };
}

export async function outboxRowDiscard(
  scope: ActionScope,
  { ids }: OutboxRows,
): Promise<SettledRows> {
  const rows = await lockRefused(scope, ids);
  await numberedSql(scope.em).executeSql('DELETE FROM ingest_outbox WHERE id = ANY($1)', [ids]);
  await auditEach(scope, 'outbox_row.discard', rows);
  return { ids };
}

type RefusedRow = {
  readonly id: string;
  readonly workspaceId: string;
  readonly organizationId: string;
  readonly table: string;
  readonly reason: string | null;
};

/** Locks all of the rows, or rejects. */
async function lockRefused(
  { em }: ActionScope,
  ids: readonly string[],
): Promise<readonly RefusedRow[]> {
  const { rows } = await numberedSql(em).executeSql(
    `SELECT waiting.id, workspace_id AS "workspaceId", organization_id AS "organizationId",
            table_name AS "table", failure AS reason
     FROM ingest_outbox waiting JOIN workspaces ON workspaces.id = workspace_id
     WHERE waiting.id = ANY($1) AND failed_at IS NOT NULL
     ORDER BY waiting.id FOR UPDATE OF waiting`,
    [ids],
  );
  if (rows.length === ids.length) return rows as RefusedRow[];
  return reject('NOT_FOUND', {
    field: ['ids'],
    message: 'Some of these rows do not exist, or are no longer rejected. No row was changed.',
  });
}

/** Without the values of the rows, which can be personal data. */
async function auditEach(
  { audit }: ActionScope,
  action: string,
  rows: readonly RefusedRow[],
): Promise<void> {
  for (const { id, workspaceId, organizationId, table, reason } of rows) {
    await audit({
      action,
      subjectType: 'outbox_row',
      subjectId: id,
      before: { table, reason },
      organizationId,
      workspaceId,
    });
  }
}
