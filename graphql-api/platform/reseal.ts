// Rotates encryption keys: values sealed with an older key are resealed with the first one, so that the
// older key can be removed.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Secrets } from '../../schema/values/sealing.ts';
import type { AppDeps } from './context.ts';
import { numberedSql } from './database/numbered-sql.ts';
import { secretsOf } from './secrets.ts';

export type Resealed = {
  readonly resealed: number;
  /** Sealed with a key that is not configured, or moved from another place. */
  readonly unreadable: number;
};

/** All tables with sealed values. Each also has the columns field, key_id and sealed. */
const SEALED_TABLES: readonly SealedTable[] = [
  { table: 'kyc_secrets', rowIdColumn: 'submission_id', part: `''`, hasBlindIndex: true },
  {
    table: 'gateway_secrets',
    rowIdColumn: 'workspace_id',
    part: 'generation',
    hasBlindIndex: false,
  },
  {
    table: 'webhook_secrets',
    rowIdColumn: 'endpoint_id',
    part: 'generation',
    hasBlindIndex: false,
  },
];

type SealedTable = {
  readonly table: string;
  readonly rowIdColumn: string;
  /** An expression that distinguishes rows with the same row ID and field. */
  readonly part: string;
  readonly hasBlindIndex: boolean;
};
type Row = { row_id: string; field: string; part: string; key_id: string; sealed: string };

/** Rows per transaction, which keeps transactions short. */
const ROWS_MAX = 500;
const BEFORE_ALL: Position = {
  row_id: '00000000-0000-0000-0000-000000000000',
  field: '',
  part: '',
};

type Position = Pick<Row, 'row_id' | 'field' | 'part'>;

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
      for (const { row_id, field } of batch.unreadable)
        deps.log.error({ table: sealedTable.table, rowId: row_id, field }, 'cannot open a secret');
      after = batch.last;
    }
  }
  return { resealed, unreadable };
}

async function resealBatch(
  em: EntityManager,
  secrets: Secrets,
  { table, rowIdColumn, part, hasBlindIndex }: SealedTable,
  after: Position,
): Promise<{ resealed: number; unreadable: Position[]; last: Position | undefined }> {
  const db = numberedSql(em);
  const { rows } = (await db.executeSql(
    `SELECT ${rowIdColumn} AS row_id, field, ${part} AS part, key_id, sealed FROM ${table}
     WHERE key_id <> $1 AND (${rowIdColumn}, field, ${part}) > ($2::uuid, $3, $4)
     ORDER BY row_id, field, part LIMIT ${ROWS_MAX} FOR UPDATE SKIP LOCKED`,
    [secrets.keyId, after.row_id, after.field, after.part],
  )) as { rows: Row[] };
  const unreadable: Position[] = [];
  for (const row of rows) {
    const place = { table, rowId: row.row_id, field: row.field };
    const text = opened(secrets, place, row);
    if (text === undefined) {
      unreadable.push(row);
      continue;
    }
    const { keyId, sealed } = secrets.seal(place, text);
    await db.executeSql(
      `UPDATE ${table} SET key_id = $1, sealed = $2
       WHERE ${rowIdColumn} = $3 AND field = $4 AND ${part} = $5`,
      [keyId, sealed, row.row_id, row.field, row.part],
    );
    if (hasBlindIndex)
      await db.executeSql(
        `UPDATE ${table} SET blind_index = $1 WHERE ${rowIdColumn} = $2 AND field = $3`,
        [secrets.blindIndex(row.field, text), row.row_id, row.field],
      );
  }
  return {
    resealed: rows.length - unreadable.length,
    unreadable,
    last: rows.length < ROWS_MAX ? undefined : rows.at(-1),
  };
}

function opened(
  secrets: Secrets,
  place: { table: string; rowId: string; field: string },
  { key_id: keyId, sealed }: Row,
): string | undefined {
  try {
    return secrets.open(place, { keyId, sealed });
  } catch {
    // The row has the ID of the missing key; an error of the cipher has no more details.
    return undefined;
  }
}
