import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rejectedEventsReplay } from '../../../../graphql-api/events/replay/replay.actions.ts';
import { replayContract } from '../../../../graphql-api/events/replay/replay.contract.ts';
import { runAction } from '../../../../graphql-api/platform/run-action.ts';
import { batchText, eventOf, newMessageId, type Texts } from '../../../harness/batch.ts';
import { untilKnown } from '../../../harness/batch-client.ts';
import { eventually } from '../../../harness/eventually.ts';
import { send } from '../../../harness/http.ts';
import { newDirectory } from '../../../harness/run-directory.ts';
import { storedEvent, storedEvents } from '../../../harness/stored-events.ts';
import type { Tenant } from '../../../harness/tenant.ts';
import { countEvents, rejectedEvents, rows } from '../../../harness/warehouse.ts';
import { contextOf } from '../../harness/deps.ts';
import { type OutboxScene, outboxScene } from '../../platform/warehouse/outbox-scene.ts';
import { replayCommand } from './replay-command.ts';
import { SINCE } from './replay-inputs.ts';

let scene: OutboxScene;
beforeAll(async () => {
  scene = await outboxScene();
  await scene.startApi();
});
afterAll(() => scene?.close());

const { replay } = replayCommand(() => scene);

async function liveTenant(): Promise<Tenant> {
  const tenant = await scene.createTenant();
  await untilKnown(scene.ingest, tenant.writeKey);
  return tenant;
}

/** Posts a batch like an SDK; the response is 400, because some events are rejected. */
async function postRefused(tenant: Tenant, events: readonly string[], fields: Texts = {}) {
  const body = batchText(tenant.writeKey, events, fields);
  const headers = { 'content-type': 'application/json', 'x-property-id': tenant.propertyId };
  const answer = await send(`${scene.ingest.url}/v1/batch`, { headers, body });
  expect(answer.status).toBe(400);
}

const BAD_TIME = ['--code', 'INVALID_TIMESTAMP', '--set', 'timestamp=@received_at'];

describe.concurrent('npm run replay', () => {
  test('stores corrected events as if they had been accepted at first', async () => {
    const tenant = await liveTenant();
    const [bad, good] = [newMessageId(), newMessageId()];
    const properties = '{ "total":49.90, "n":1E2 }';
    await postRefused(tenant, [eventOf(bad, { timestamp: '"soon"', properties }), eventOf(good)], {
      context: '{ "app":1.0 }',
    });
    const [refused] = await rejectedEvents(tenant.workspaceId, 1);
    const { code, stdout } = await replay(tenant, [...BAD_TIME, '--yes']);
    expect(stdout).toBe('1 events found: 1 would be accepted\n1 events found: 1 accepted\n');
    expect(code).toBe(0);
    const [stored, first] = await storedEvents(tenant.workspaceId, [bad, good]);
    expect(stored).toMatchObject({
      message_id: bad,
      event: 'Order Completed',
      property_id: tenant.propertyId,
      sdk_key_id: tenant.keyId,
      timestamp: refused!.received_at,
      received_at: refused!.received_at,
      corrected_at: refused!.received_at,
      sent_at: first!.sent_at,
      batch_context: '{ "app":1.0 }',
      properties,
    });
  });

  test('changes nothing when it is repeated', async () => {
    const tenant = await liveTenant();
    const ids = Array.from({ length: 7 }, newMessageId);
    await postRefused(
      tenant,
      ids.map(id => eventOf(id, { timestamp: '"soon"' })),
    );
    await rejectedEvents(tenant.workspaceId, 7);
    for (let time = 0; time < 2; time++)
      expect(await replay(tenant, [...BAD_TIME, '--yes'])).toMatchObject({ code: 0 });
    // After a restart, ingest no longer knows which IDs it has seen, but the table does.
    await storedEvents(tenant.workspaceId, ids);
    expect(await countEvents(tenant.workspaceId)).toBe(7);
    await rejectedEvents(tenant.workspaceId, 7);
  });

  test('only prints the expected result in a dry run, or without confirmation', async () => {
    const tenant = await liveTenant();
    await postRefused(tenant, [
      eventOf('fine', { timestamp: '"soon"' }),
      eventOf('not', { timestamp: '"soon"', userId: '7' }),
    ]);
    await rejectedEvents(tenant.workspaceId, 1 + 1);
    const dry = await replay(tenant, [
      '--code',
      'INVALID_TIMESTAMP',
      '--set',
      'timestamp="2026-05-01"',
      '--dry-run',
    ]);
    expect(dry).toEqual({ code: 0, stdout: '1 events found: 1 would be accepted\n', stderr: '' });
    const unconfirmed = await replay(tenant, BAD_TIME);
    expect(unconfirmed).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
    const last = newMessageId();
    const headers = { 'content-type': 'application/json' };
    const body = batchText(tenant.writeKey, [eventOf(last)]);
    await send(`${scene.ingest.url}/v1/batch`, { headers, body });
    await storedEvent(tenant.workspaceId, last);
    expect(await countEvents(tenant.workspaceId)).toBe(1);
  });

  test('reports events that are rejected again, with the reason', async () => {
    const tenant = await liveTenant();
    await postRefused(tenant, [
      eventOf('a', { type: '"nonsense"' }),
      eventOf('b', { type: '"nonsense"', event: '""' }),
      eventOf('c', { type: '"nonsense"', event: undefined }),
    ]);
    await rejectedEvents(tenant.workspaceId, 3);
    const args = ['--code', 'UNKNOWN_EVENT_TYPE', '--set', 'type=track', '--yes'];
    const { code, stdout } = await replay(tenant, args);
    expect(code).toBe(0);
    expect(stdout).toContain('3 events found: 1 accepted\n  2 rejected: MISSING_FIELD\n');
    expect(stdout).toContain('e.g. "b": MISSING_FIELD: event is missing');
  });

  test('adds IDs to events without one, the same each time', async () => {
    const tenant = await liveTenant();
    const events = [1, 2, 3].map(n => eventOf('x', { messageId: undefined, userId: `"u${n}"` }));
    await postRefused(tenant, events);
    await rejectedEvents(tenant.workspaceId, 3);
    const args = ['--code', 'MISSING_FIELD', '--fill', 'messageId=@derived', '--yes'];
    for (let time = 0; time < 2; time++) {
      const { stdout } = await replay(tenant, args);
      expect(stdout).toContain('3 events found: 3 accepted');
    }
    await eventually(async () => expect(await countEvents(tenant.workspaceId)).toBe(3));
  });

  test('selects events by code, time and limit, page by page', async () => {
    const tenant = await liveTenant();
    const ids = Array.from({ length: 250 }, newMessageId);
    for (const from of [0, 100, 200]) {
      const some = ids.slice(from, from + 100);
      await postRefused(
        tenant,
        some.map(id => eventOf(id, { timestamp: '"soon"' })),
      );
    }
    await postRefused(tenant, [eventOf('other', { type: '"x"' })]);
    await rejectedEvents(tenant.workspaceId, 251);
    const later = await replay(tenant, [...BAD_TIME, '--dry-run', '--until', '2026-01-02']);
    expect(later.stdout).toContain('0 events found');
    const few = await replay(tenant, [...BAD_TIME, '--dry-run', '--limit', '120']);
    expect(few.stdout).toContain('120 events found: 120 would be accepted');
    const all = await replay(tenant, [...BAD_TIME, '--yes']);
    expect(all.stdout).toContain('250 events found: 250 accepted');
    await storedEvents(tenant.workspaceId, ids);
    expect(await countEvents(tenant.workspaceId)).toBe(250);
  });

  test('does not exceed the given rate', async () => {
    const tenant = await liveTenant();
    for (let batch = 0; batch < 2; batch++) {
      const ids = Array.from({ length: 100 }, newMessageId);
      await postRefused(
        tenant,
        ids.map(id => eventOf(id, { timestamp: '"soon"' })),
      );
    }
    await rejectedEvents(tenant.workspaceId, 200);
    const startedAtMs = performance.now();
    await replay(tenant, [...BAD_TIME, '--yes', '--rate', '50']);
    // The second hundred had to wait for two seconds.
    expect(performance.now() - startedAtMs).toBeGreaterThan(2_000);
  });

  test('does not affect events of other tenants', async () => {
    const [mine, other] = [await liveTenant(), await liveTenant()];
    await postRefused(other, [eventOf('theirs', { timestamp: '"soon"' })]);
    await rejectedEvents(other.workspaceId, 1);
    expect((await replay(mine, [...BAD_TIME, '--yes'])).stdout).toContain('0 events found');
  });

  test('is in the audit log', async () => {
    const tenant = await liveTenant();
    await postRefused(tenant, [eventOf(newMessageId(), { timestamp: '"soon"' })]);
    await rejectedEvents(tenant.workspaceId, 1);
    await replay(tenant, [...BAD_TIME, '--yes']);
    const entries = await scene.query(
      'SELECT actor_id, action, after FROM audit_log WHERE workspace_id = $1',
      [tenant.workspaceId],
    );
    expect(entries).toEqual([
      {
        actor_id: 'npm run replay',
        action: 'rejected_events.replayed',
        after: {
          codes: ['INVALID_TIMESTAMP'],
          correction: { rename: {}, drop: [], set: { timestamp: '@received_at' }, fill: {} },
          found: 1,
          accepted: 1,
          uncorrectable: 0,
          refused: {},
        },
      },
    ]);
  });

  test.for([
    ['an unknown workspace', [], 'No workspace exists with the ID'],
    ['a wrong fact', ['--set', 'a=@now'], '--set a'],
    ['a wrong rate', ['--rate', '0'], '--rate must be'],
    ['no reason', ['--code', 'soon'], '--code must be'],
    ['an unknown option', ['--colour', 'red'], '--colour'],
  ] as const)('reports errors: %s', async ([, args, message]) => {
    const tenant = await scene.createTenant();
    const unknown = message.startsWith('No workspace')
      ? { ...tenant, workspaceId: '00000000-0000-7000-8000-000000000000' }
      : tenant;
    const outcome = await replay(unknown, [...BAD_TIME, ...args]);
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  });

  test('reports that the service is not running', async () => {
    const tenant = await scene.createTenant();
    const env = { INGEST_URL: '', INTERNAL_TOKEN: '', DATA_DIR: await newDirectory('nothing') };
    const outcome = await replay(tenant, BAD_TIME, env);
    expect(outcome.stderr).toContain('INGEST_URL');
    expect(outcome.stderr).toContain('INTERNAL_TOKEN');
  });

  test('stops if ingest rejects its credential', async () => {
    const tenant = await liveTenant();
    await postRefused(tenant, [eventOf(newMessageId(), { timestamp: '"soon"' })]);
    await rejectedEvents(tenant.workspaceId, 1);
    const env = { INTERNAL_TOKEN: 'x'.repeat(40) };
    const outcome = await replay(tenant, [...BAD_TIME, '--yes'], env);
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('INTERNAL_TOKEN') });
  });
});

test('a viewer’s request is performed by a job, and both are in the audit log', async () => {
  const tenant = await liveTenant();
  const id = newMessageId();
  await postRefused(tenant, [eventOf(id, { timestamp: '"soon"' })]);
  await rejectedEvents(tenant.workspaceId, 1);
  const request = replayContract.parse({
    codes: ['INVALID_TIMESTAMP'],
    since: SINCE,
    correction: { set: { timestamp: '@received_at' } },
  });
  const asked = await runAction(contextOf(scene.deps, tenant), rejectedEventsReplay, {
    ...request,
    dryRun: false,
  });
  await storedEvent(tenant.workspaceId, id);
  await eventually(async () => {
    const entries = await scene.query(
      `SELECT actor_id, action, request_id, after FROM audit_log
       WHERE workspace_id = $1 ORDER BY created_at`,
      [tenant.workspaceId],
    );
    expect(entries).toMatchObject([
      {
        actor_id: 'user-1',
        action: 'rejected_events.replay',
        after: { codes: ['INVALID_TIMESTAMP'] },
      },
      {
        actor_id: 'user-1',
        action: 'rejected_events.replayed',
        request_id: `job-${asked.id}`,
        after: { found: 1, accepted: 1 },
      },
    ]);
  });
  const kept = await rows('SELECT 1 FROM rejected_events WHERE workspace_id = {workspaceId:UUID}', {
    workspaceId: tenant.workspaceId,
  });
  expect(kept).toHaveLength(1);
});
