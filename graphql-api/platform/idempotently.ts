import { createHash } from 'node:crypto';
import { reject } from './rejected.ts';
import type { ActionScope } from './run-action.ts';
import { secretsOf } from './secrets.ts';

export type IdempotentRequest = {
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
  const { em, viewer, deps } = scope;
  if (!IDEMPOTENCY_KEY.test(request.key)) reject('INVALID_IDEMPOTENCY_KEY');
  const id = [viewer.organizationId, request.operation, request.key];
  const hashes = hashesOf(scope, request.input);
  const nowMs = deps.clock.nowMs();

  if (!(await claim(scope, id, hashes[0]!, nowMs))) {
    const [record] = await em.execute<{ hash: string; result: O }[]>(
      `SELECT encode(request_hash, 'hex') AS hash, result FROM idempotency_records
       WHERE organization_id = ? AND operation = ? AND key = ?`,
      id,
    );
    if (record === undefined || !hashes.includes(record.hash)) reject('IDEMPOTENCY_KEY_MISMATCH');
    return record.result;
  }
  const result = await run();
  await em.flush();
  await em.execute(
    `UPDATE idempotency_records SET result = ?::jsonb
     WHERE organization_id = ? AND operation = ? AND key = ?`,
    [JSON.stringify(result ?? null), ...id],
  );
  return result;
}

/** Whether this request must run the work. An expired record is reused. */
async function claim(
  { em }: ActionScope,
  id: readonly string[],
  hash: string,
  nowMs: number,
): Promise<boolean> {
  const oldest = new Date(nowMs - IDEMPOTENCY_HOURS * 60 * 60 * 1000);
  try {
    const claimed = await em.execute<unknown[]>(
      `INSERT INTO idempotency_records AS record
         (organization_id, operation, key, request_hash, created_at)
       VALUES (?, ?, ?, decode(?, 'hex'), ?)
       ON CONFLICT (organization_id, operation, key) DO UPDATE
         SET request_hash = excluded.request_hash, result = NULL, created_at = excluded.created_at
         WHERE record.created_at < ?
       RETURNING 1`,
      [...id, hash, new Date(nowMs), oldest],
    );
    return claimed.length > 0;
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
function hashesOf({ viewer, deps }: ActionScope, input: unknown): readonly string[] {
  const request = canonicalJson([viewer.userId, viewer.workspaceId ?? null, input]);
  return secretsOf(deps)
    .blindIndexes('idempotent request', request)
    .map(index => createHash('sha256').update(index).digest('hex'));
}

/** Independent of the order of object keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return String(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
