import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { batchText, eventOf, eventText, newMessageId } from '../harness/batch.ts';
import { liveTenant } from '../harness/batch-client.ts';
import { useIngest } from '../harness/ingest-process.ts';
import { INTERNAL_TOKEN, postInternal } from '../harness/internal.ts';
import { storedEvent } from '../harness/stored-events.ts';
import { countEvents, rows } from '../harness/warehouse.ts';

// A single thread writes one log, so when a later event is readable, all earlier ones are too.
const ingest = useIngest({ threads: 1, env: { INTERNAL_TOKEN } });

type Query = Readonly<Record<string, string>>;

function post(workspaceId: string, events: readonly string[], query: Query = {}, fields = {}) {
  const body = batchText('', events, { writeKey: undefined, ...fields });
  return postInternal(ingest().url, '/internal/batch', body, {
    query: { workspace_id: workspaceId, ...query },
  });
}

/** When this event is stored, all earlier ones are too. */
async function sendLast(workspaceId: string): Promise<void> {
  const id = newMessageId();
  expect((await post(workspaceId, [eventOf(id)])).status).toBe(200);
  await storedEvent(workspaceId, id);
}

describe.concurrent('events of the control plane', () => {
  test('are stored under the workspace of the query', async () => {
    const { workspaceId, propertyId, keyId } = await liveTenant(ingest());
    const id = newMessageId();
    const query = {
      property_id: propertyId,
      sdk_key_id: keyId,
      received_at: '2026-03-04T05:06:07.890Z',
    };
    const fields = { sentAt: '"2026-03-04T05:06:07.000Z"', context: '{"a":1}' };
    const timestamp = '2026-03-04T05:06:06.000Z';
    const event = eventOf(id, { timestamp: JSON.stringify(timestamp) });
    const answer = await post(workspaceId, [event], query, fields);
    expect(answer.json()).toEqual({ status: 'SUCCESS', accepted: 1, rejected: [] });
    expect(await storedEvent(workspaceId, id)).toMatchObject({
      property_id: propertyId,
      sdk_key_id: keyId,
      received_at: '2026-03-04T05:06:07.890Z',
      sent_at: '2026-03-04T05:06:07.000Z',
      // Corrected by the clocks at the original time, so a replay months later does not shift the
      // event.
      corrected_at: timestamp,
      batch_context: '{"a":1}',
      batch_extra: '',
    });
  });

  test('have no caps and no origins', async () => {
    const { workspaceId } = await liveTenant(ingest(), {
      minuteCap: 1,
      origins: ['https://example.com'],
    });
    for (let request = 0; request < 3; request++) {
      const answer = await post(workspaceId, [eventText(), eventText()]);
      expect(answer.status).toBe(200);
    }
  });

  test('that are sent again are stored once', async () => {
    const { workspaceId } = await liveTenant(ingest());
    const id = newMessageId();
    for (let request = 0; request < 3; request++)
      expect((await post(workspaceId, [eventOf(id)])).json()).toMatchObject({ accepted: 1 });
    await sendLast(workspaceId);
    await storedEvent(workspaceId, id);
    expect(await countEvents(workspaceId)).toBe(2);
  });

  test('that are rejected are returned and not stored again', async () => {
    const { workspaceId } = await liveTenant(ingest());
    const [good, bad] = [newMessageId(), newMessageId()];
    const events = [eventOf(bad, { type: '"nonsense"' }), eventOf(good)];
    const answer = await post(workspaceId, events);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      accepted: 1,
      rejected: [{ index: 0, messageId: bad, code: 'UNKNOWN_EVENT_TYPE' }],
    });
    await post(workspaceId, [eventOf(bad, { type: '"nonsense"' })]);
    await sendLast(workspaceId);
    await storedEvent(workspaceId, good);
    expect(await countEvents(workspaceId)).toBe(2);
    const kept = await rows(
      'SELECT * FROM rejected_events WHERE workspace_id = {workspaceId:UUID}',
      { workspaceId },
    );
    expect(kept).toEqual([]);
  });

  test('in a dry run get the same response and store nothing', async () => {
    const { workspaceId } = await liveTenant(ingest());
    const events = [eventOf(newMessageId(), { timestamp: '"soon"' }), eventOf(newMessageId())];
    const answer = await post(workspaceId, events, { dry_run: '1' });
    expect(answer.json()).toMatchObject({
      accepted: 1,
      rejected: [{ index: 0, code: 'INVALID_TIMESTAMP' }],
    });
    await sendLast(workspaceId);
    expect(await countEvents(workspaceId)).toBe(1);
  });
});

describe.concurrent('a request is refused', () => {
  test.for([
    ['without a workspace', { workspace_id: '' }, 400, 'INVALID_FIELD'],
    ['for an unknown one', { workspace_id: randomUUID() }, 404, 'WORKSPACE_NOT_FOUND'],
    ['with a property that is no id', { property_id: '7' }, 400, 'INVALID_FIELD'],
    ['with a time that is none', { received_at: 'then' }, 400, 'INVALID_FIELD'],
    ['with an unknown question', { colour: 'red' }, 400, 'INVALID_FIELD'],
    ['with another dry run', { dry_run: 'yes' }, 400, 'INVALID_FIELD'],
  ] as const)('%s', async ([, query, status, code]) => {
    const { workspaceId } = await liveTenant(ingest());
    const answer = await post(workspaceId, [eventText()], query);
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject({ code });
  });

  test.for([
    ['empty', [], {}, 'EMPTY_BATCH'],
    ['of 101 events', Array.from({ length: 101 }, () => '{}'), {}, 'TOO_MANY_EVENTS'],
    ['without sentAt', [eventText()], { sentAt: undefined }, 'INVALID_SENT_AT'],
  ] as const)('%s', async ([, events, fields, code]) => {
    const { workspaceId } = await liveTenant(ingest());
    const answer = await post(workspaceId, events, {}, fields);
    expect(answer.json()).toMatchObject({ code });
  });
});
