// Rotates encryption keys: values sealed with an older key are resealed with the first one, so that the
// older key can be removed.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Place, Sealed, Secrets } from '../../schema/values/sealing.ts';
import type { AppDeps } from './context.ts';
import { rowsOf, sql } from './database/kysely.ts';
import { defineJob, scheduledData } from './jobs/job.ts';
import { secretsOf } from './secrets.ts';

type Resealed = {
  readonly resealed: number;
  /** Sealed with a key that is not configured, or moved from another place. */
  readonly unreadable: number;
};

type SealedTable = {
  readonly table: string;
  readonly rowIdColumn: string;
  /** An expression that distinguishes rows with the same row ID and field. */
  readonly part: string;
  readonly hasBlindIndex?: boolean;
};

/** All tables with sealed values. Each also has the columns field, key_id and sealed. */
const SEALED_TABLES: readonly SealedTable[] = [
  { table: 'kyc_secrets', rowIdColumn: 'submission_id', part: `''`, hasBlindIndex: true },
  { table: 'gateway_secrets', rowIdColumn: 'workspace_id', part: 'generation' },
  { table: 'webhook_secrets', rowIdColumn: 'endpoint_id', part: 'generation' },
];

type Position = { readonly rowId: string; readonly field: string; readonly part: string };
type Row = Position & { readonly keyId: string; readonly sealed: string };

/** Rows per transaction, which keeps transactions short. */
const ROWS_MAX = 500;
const BEFORE_ALL: Position = { rowId: '00000000-0000-0000-0000-000000000000', field: '', part: '' };

/** Reseals with the first of ENCRYPTION_KEYS the values that an older key sealed. */
export const resealSecrets = defineJob({
  name: 'reseal-secrets',
  schedule: '41 * * * *',
  data: scheduledData,
  async run(context, _data, signal) {
    const { resealed, unreadable } = await reseal(context.deps, signal);
    context.note({ resealed, unreadable });
    if (unreadable > 0) throw new Error(`Secrets that could not be decrypted: ${unreadable}`);
  },
});

/** Can be repeated, interrupted and run in several processes. */
export async function reseal(
  deps: Pick<AppDeps, 'config' | 'database' | 'log'>,
  signal?: AbortSignal,
): Promise<Resealed> {
  const secrets = secretsOf(deps);
  let resealed = 0;
  let unreadable = 0;
  for (const sealedTable of SEALED_TABLES) {
    let after: Position | undefined = BEFORE_ALL;
    while (after !== undefined) {
      signal?.throwIfAborted();
      const from: Position = after;
      const batch = await deps.database.asSystem(em => resealBatch(em, secrets, sealedTable, from));
      resealed += batch.resealed;
      unreadable += batch.unreadable.length;
      for (const { rowId, field } of batch.unreadable)
        deps.log.error({ table: sealedTable.table, rowId, field }, 'secret could not be decrypted');
      after = batch.last;
    }
  }
  return { resealed, unreadable };
}

async function resealBatch(
  em: EntityManager,
  secrets: Secrets,
  sealedTable: SealedTable,
  after: Position,
): Promise<{ resealed: number; unreadable: Position[]; last: Position | undefined }> {
  const { table, hasBlindIndex } = sealedTable;
  const [from, id, part] = [
    sql.table(table),
    sql.ref(sealedTable.rowIdColumn),
    sql.raw(sealedTable.part),
  ];
  const rows = await rowsOf(
    em,
    sql<Row>`
      SELECT ${id} AS row_id, field, ${part} AS part, key_id, sealed FROM ${from}
      WHERE key_id <> ${secrets.keyId}
        AND (${id}, field, ${part}) > (${after.rowId}::uuid, ${after.field}, ${after.part})
      ORDER BY row_id, field, part LIMIT ${ROWS_MAX} FOR UPDATE SKIP LOCKED`,
  );
  const unreadable: Position[] = [];
  for (const row of rows) {
    const { rowId, field } = row;
    const text = opened(secrets, { table, rowId, field }, row);
    if (text === undefined) {
      unreadable.push(row);
      continue;
    }
    const { keyId, sealed } = secrets.seal({ table, rowId, field }, text);
    const index = hasBlindIndex && sql`, blind_index = ${secrets.blindIndex(field, text)}`;
    await rowsOf(
      em,
      sql`UPDATE ${from} SET key_id = ${keyId}, sealed = ${sealed}${index || sql``}
        WHERE ${id} = ${rowId} AND field = ${field} AND ${part} = ${row.part}`,
    );
  }
  return {
    resealed: rows.length - unreadable.length,
    unreadable,
    last: rows.length < ROWS_MAX ? undefined : rows.at(-1),
  };
}

function opened(secrets: Secrets, place: Place, sealed: Sealed): string | undefined {
  try {
    return secrets.open(place, sealed);
  } catch {
    // The row has the ID of the missing key; an error of the cipher has no more details.
    return undefined;
  }
}
