import { describe, expect, test } from 'vitest';
import { batchText, eventOf, eventText, newMessageId } from '../harness/batch.ts';
import {
  expectAccepted,
  expectProblem,
  liveTenant,
  post,
  postEvents,
} from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { storedEvent } from '../harness/stored-events.ts';
import { createKey, createTenant, revokeKey, sql } from '../harness/tenant.ts';
import { countEvents } from '../harness/warehouse.ts';

// A single thread writes one log, so when a later event is readable, all earlier ones are too.
const ingest = useSharedIngest();
/** A change takes effect within a second; the rest is a margin for a busy machine. */
const FOLLOWED = { deadlineMs: 10_000, intervalMs: 50 };

describe.concurrent('INVALID_WRITE_KEY', () => {
  test.for([
    ['unknown', 'wk_unknown_unknown_unknown'],
    ['too short for a key', 'x'],
    ['very long', 'x'.repeat(100_000)],
    ['with spaces', 'wk key with spaces in it'],
    ['with a NUL', 'wk_unknown\u0000unknown'],
    ['of another script', 'ключ-ключ-ключ-ключ'],
    ['a pattern', '%'],
    ['a name of Object', 'constructor'],
    ['a prototype', '__proto__'],
    ['SQL', "' OR 1=1 --"],
  ] as const)('a key that is %s', async ([, writeKey]) => {
    const answer = await postEvents(ingest(), writeKey, [eventText()]);
    expectProblem(answer, 401, 'INVALID_WRITE_KEY');
  });

  test('a key with a lone surrogate', async () => {
    const body = batchText('', [eventText()], { writeKey: '"wk_\\ud800_unknown_unknown"' });
    expectProblem(await post(ingest(), body), 401, 'INVALID_WRITE_KEY');
  });

  test('the response does not repeat the key', async () => {
    const answer = await postEvents(ingest(), 'wk_repeated_repeated_repeated', [eventText()]);
    expect(answer.text).not.toContain('repeated');
  });

  test('an unknown key, with any batch', async () => {
    const unknown = 'wk_unknown_unknown_unknown';
    expectProblem(await postEvents(ingest(), unknown, []), 401, 'INVALID_WRITE_KEY');
    const refused = await postEvents(ingest(), unknown, [eventText({ type: '"x"' })]);
    expectProblem(refused, 401, 'INVALID_WRITE_KEY');
  });

  test('a valid key in the headers does not help an unknown one in the body', async () => {
    const tenant = await liveTenant(ingest());
    const headers = { 'x-service-write-key': tenant.writeKey };
    const body = batchText('wk_unknown_unknown_unknown', [eventText()]);
    expectProblem(await post(ingest(), body, { headers }), 401, 'INVALID_WRITE_KEY');
  });

  test('a key in another case, or truncated, is a different key', async () => {
    const { writeKey } = await liveTenant(ingest());
    for (const other of [
      writeKey.toUpperCase(),
      writeKey.slice(0, -1),
      `${writeKey}x`,
      ` ${writeKey}`,
    ]) {
      const answer = await postEvents(ingest(), other, [eventText()]);
      expectProblem(answer, 401, 'INVALID_WRITE_KEY');
    }
  });

  test('a key that was revoked before the process loaded it', async () => {
    const tenant = await createTenant({ isRevoked: true });
    // When a later change is visible, the earlier one has been applied too.
    await liveTenant(ingest());
    const answer = await postEvents(ingest(), tenant.writeKey, [eventText()]);
    expectProblem(answer, 401, 'INVALID_WRITE_KEY');
  });
});

describe.concurrent('changes of keys take effect', () => {
  test('a revoked key is refused: earlier events are stored, later ones are not', async () => {
    const tenant = await liveTenant(ingest());
    const before = newMessageId();
    expectAccepted(await postEvents(ingest(), tenant.writeKey, [eventOf(before)]), 1);
    await storedEvent(tenant.workspaceId, before);
    await revokeKey(tenant.keyId);
    await eventually(async () => {
      const answer = await postEvents(ingest(), tenant.writeKey, []);
      expectProblem(answer, 401, 'INVALID_WRITE_KEY');
    }, FOLLOWED);
    const answer = await postEvents(ingest(), tenant.writeKey, [eventText()]);
    expectProblem(answer, 401, 'INVALID_WRITE_KEY');

    const next = await createKey(tenant.workspaceId);
    const after = newMessageId();
    await eventually(async () => {
      expectAccepted(await postEvents(ingest(), next.writeKey, [eventOf(after)]), 1);
    }, FOLLOWED);
    await storedEvent(tenant.workspaceId, after);
    expect(await countEvents(tenant.workspaceId)).toBe(2);
  });

  test('other keys of the workspace stay valid', async () => {
    const tenant = await liveTenant(ingest());
    const other = await createKey(tenant.workspaceId);
    await revokeKey(tenant.keyId);
    await eventually(async () => {
      expect((await postEvents(ingest(), tenant.writeKey, [])).status).toBe(401);
      expectAccepted(await postEvents(ingest(), other.writeKey, [eventText()]), 1);
    }, FOLLOWED);
  });

  test('a deleted key is refused', async () => {
    const tenant = await liveTenant(ingest());
    await sql('DELETE FROM sdk_keys WHERE id = $1', [tenant.keyId]);
    await eventually(async () => {
      const answer = await postEvents(ingest(), tenant.writeKey, []);
      expectProblem(answer, 401, 'INVALID_WRITE_KEY');
    }, FOLLOWED);
  });

  test('a key that is no longer revoked is accepted', async () => {
    const tenant = await createTenant({ isRevoked: true });
    await sql('UPDATE sdk_keys SET revoked_at = NULL WHERE id = $1', [tenant.keyId]);
    await eventually(async () => {
      expectAccepted(await postEvents(ingest(), tenant.writeKey, [eventText()]), 1);
    }, FOLLOWED);
  });
});
