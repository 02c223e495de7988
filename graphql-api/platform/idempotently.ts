import { createHash } from 'node:crypto';
import { kysely } from './database/kysely.ts';
import { reject } from './rejected.ts';
import type { ActionScope } from './run-action.ts';
import { secretsOf } from './secrets.ts';

type IdempotentRequest = {
  readonly operation: string;
  readonly key: string;
  readonly input: unknown;
};

/** How long a result is stored. */
export const IDEMPOTENCY_HOURS = 24;
export const IDEMPOTENCY_KEY = /^[ -~]{1,255}$/;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs the work once per organization, operation and key, in the action's transaction, and stores the
 * result for a day. A concurrent repeat waits for the primary key until the first request has ended,
 * and returns its result, or runs the work if the first request failed. A rejection also rolls back
 * the record, so a repeat runs the work again.
 */
export async function idempotently<O>(
  scope: ActionScope,
  request: IdempotentRequest,
  run: () => Promise<O>,
): Promise<O> {
  const { em, viewer } = scope;
  if (!IDEMPOTENCY_KEY.test(request.key)) reject('INVALID_IDEMPOTENCY_KEY');
  const id = {
    organizationId: viewer.organizationId,
    operation: request.operation,
    key: request.key,
  };
  const hashes = hashesOf(scope, request.input);
  if (!(await claim(scope, id, hashes[0]!))) {
    const record = await kysely(em)
      .selectFrom('idempotency_records')
      .select(['requestHash', 'result'])
      .where(record => record.and(id))
      .executeTakeFirst();
    if (record === undefined || !hashes.some(hash => hash.equals(record.requestHash)))
      reject('IDEMPOTENCY_KEY_MISMATCH');
    return record.result as O;
  }
  const result = await run();
  await em.flush();
  await kysely(em)
    .updateTable('idempotency_records')
    .set({ result: JSON.stringify(result ?? null) })
    .where(record => record.and(id))
    .execute();
  return result;
}

type RecordId = {
  readonly organizationId: string;
  readonly operation: string;
  readonly key: string;
};

/** Whether this request must do the work. An expired record is reused. */
async function claim(
  { em, deps }: ActionScope,
  id: RecordId,
  requestHash: Buffer,
): Promise<boolean> {
  const nowMs = deps.clock.nowMs();
  const createdAt = new Date(nowMs);
  const oldest = new Date(nowMs - IDEMPOTENCY_HOURS * 60 * 60 * 1000);
  try {
    const claimed = await kysely(em)
      .insertInto('idempotency_records')
      .values({ ...id, requestHash, createdAt })
      .onConflict(conflict =>
        conflict
          .columns(['organizationId', 'operation', 'key'])
          .doUpdateSet({ requestHash, result: null, createdAt })
          .where('idempotency_records.createdAt', '<', oldest),
      )
      .executeTakeFirst();
    return claimed.numInsertedOrUpdatedRows === 1n;
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) reject('IDEMPOTENCY_IN_PROGRESS');
    throw error;
  }
}

/**
 * Hashes everything that the result depends on, including the user and the workspace. The hash is
 * keyed, because a request can contain a tax identifier, which could be guessed. It is computed with
 * each configured key, so that a repeat is recognized after a key rotation.
 */
function hashesOf({ viewer, deps }: ActionScope, input: unknown): readonly Buffer[] {
  const request = canonicalJson([viewer.userId, viewer.workspaceId ?? null, input]);
  return secretsOf(deps)
    .blindIndexes('idempotent request', request)
    .map(index => createHash('sha256').update(index).digest());
}

/** Independent of the order of object keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return String(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
