// Reads rows that ingest rejected permanently, for platform admins.

import type { Context } from '../context.ts';
import { readAcrossTenants } from '../database/across-tenants.ts';
import { kysely, type RowOf } from '../database/kysely.ts';
import { type Page, type PageRequest, readPage } from '../database/page.ts';
import { OutboxRow } from './outbox-row.entity.ts';

export async function refusedOutboxRowsPage(
  context: Context,
  page: PageRequest,
): Promise<Page<OutboxRow>> {
  const where = { failedAt: { $ne: null } };
  return readAcrossTenants(context, em => readPage(em, OutboxRow, where, page));
}

export async function outboxRowValuesByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly Pick<RowOf<'ingest_outbox'>, 'id' | 'row'>[]> {
  return readAcrossTenants(context, em =>
    kysely(em).selectFrom('ingest_outbox').select(['id', 'row']).where('id', 'in', ids).execute(),
  );
}
