// Reads rows that ingest rejected permanently, for platform admins.

import type { Context } from '../context.ts';
import { readAcrossTenants } from '../database/across-tenants.ts';
import { type Page, type PageRequest, readPage } from '../database/page.ts';
import { OutboxRow } from './outbox-row.entity.ts';

export async function refusedOutboxRowsPage(
  context: Context,
  page: PageRequest,
): Promise<Page<OutboxRow>> {
  const where = { failedAt: { $ne: null } };
  return readAcrossTenants(context, em => readPage(em, OutboxRow, where, page));
}

export type OutboxRowValues = Pick<OutboxRow, 'id' | 'row'>;

export async function outboxRowValuesByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly OutboxRowValues[]> {
  return readAcrossTenants(context, em =>
    em.execute<OutboxRowValues[]>('SELECT id, row FROM ingest_outbox WHERE id = ANY (?::uuid[])', [
      `{${ids.join()}}`,
    ]),
  );
}
