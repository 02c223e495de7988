// A batch with some rejected events: the others are stored, and the rejected ones are stored
// completely, with their reason.

import { beforeAll, describe, expect, test } from 'vitest';
import { eventOf, eventText, nestedArrays, nestedObject, newMessageId } from '../harness/batch.ts';
import {
  expectAccepted,
  expectRejections,
  liveTenant,
  postEvents,
} from '../harness/batch-client.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { storedEvent, storedEvents } from '../harness/stored-events.ts';
import type { Tenant } from '../harness/tenant.ts';
import { countEvents, rejectedEvents } from '../harness/warehouse.ts';

// A single thread writes one log, so when a later event is readable, all earlier ones are too.
const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

describe.concurrent('partial acceptance', () => {
  test('valid events are stored, rejected events are listed by position', async () => {
    const sender = await liveTenant(ingest());
    const valid = Array.from({ length: 3 }, newMessageId);
    const refused = Array.from({ length: 3 }, newMessageId);
    const events = [
      eventOf(refused[0]!, { type: '"unknown"' }),
      eventOf(valid[0]!),
      '"not an object"',
      eventOf(valid[1]!),
      eventOf(refused[1]!, { properties: nestedObject(6) }),
      eventOf(refused[2]!, { timestamp: '"never"' }),
      eventOf(valid[2]!),
    ];
    const answer = await postEvents(ingest(), sender.writeKey, events);
    expectRejections(answer, 3, [
      { index: 0, messageId: refused[0]!, code: 'UNKNOWN_EVENT_TYPE' },
      { index: 2, messageId: null, code: 'INVALID_EVENT' },
      { index: 4, messageId: refused[1]!, code: 'NESTING_TOO_DEEP' },
      { index: 5, messageId: refused[2]!, code: 'INVALID_TIMESTAMP' },
    ]);
    await storedEvents(sender.workspaceId, valid);
    expect(await countEvents(sender.workspaceId)).toBe(3);
    expect(await rejectedEvents(sender.workspaceId, 4)).toHaveLength(4);
  });

  test('all events of a batch with only rejected events are listed', async () => {
    const sender = await liveTenant(ingest());
    const events = Array.from({ length: 100 }, (_, i) => eventText({ type: `"type-${i}"` }));
    const answer = await postEvents(ingest(), sender.writeKey, events);
    const rejected = answer.json().rejected as { index: number; code: string }[];
    expect(rejected.map(({ index }) => index)).toEqual(events.map((_, i) => i));
    expect(answer.json().detail).toBe('All 100 events were rejected.');
    const kept = await rejectedEvents(sender.workspaceId, 100);
    expect(kept.map(row => row.body)).toEqual(events);
    expect(kept.map(row => row.batch_index)).toEqual(events.map((_, i) => i));
  });

  test('a rejected event is stored in full with its reason', async () => {
    const sender = await liveTenant(ingest());
    const messageId = newMessageId();
    const event = `{ "type" : "nope", "messageId":"${messageId}", "n": 1e400, "s":"\\ud800",
      "d":{"a":1,"a":2},"anonymousId":"a", "sessionId":"s", "timestamp" :"2026-01-01" }`;
    const envelope = { sentAt: '"2026-01-02T03:04:05+05:30"', context: '{ "region":"eu-1" }' };
    const headers = { 'x-property-id': sender.propertyId };
    const answer = await postEvents(ingest(), sender.writeKey, [eventText(), event], envelope, {
      headers,
    });
    const [rejected] = expectRejections(answer, 1, [
      { index: 1, messageId, code: 'UNKNOWN_EVENT_TYPE' },
    ]);
    const [row] = await rejectedEvents(sender.workspaceId, 1);
    expect(row).toEqual({
      workspace_id: sender.workspaceId,
      property_id: sender.propertyId,
      sdk_key_id: sender.keyId,
      endpoint: '/v1/batch',
      code: 'UNKNOWN_EVENT_TYPE',
      message: rejected!.message,
      message_id: messageId,
      batch_index: 1,
      body: event,
      sent_at_text: '2026-01-02T03:04:05+05:30',
      batch_context: '{ "region":"eu-1" }',
      received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
  });

  test('a rejected event that is corrected and sent again is stored', async () => {
    const sender = await liveTenant(ingest());
    const messageId = newMessageId();
    const properties = '{"price": 10.50, "ids": [9007199254740993]}';
    const event = eventOf(messageId, { type: '"trakc"', properties });
    await postEvents(ingest(), sender.writeKey, [event]);
    const [kept] = await rejectedEvents(sender.workspaceId, 1);
    const repaired = kept!.body.replace('"trakc"', '"track"');
    expectAccepted(await postEvents(ingest(), sender.writeKey, [repaired]), 1);
    expect(await storedEvent(sender.workspaceId, messageId)).toMatchObject({ properties });
  });

  test('a rejected event that the client sends again is stored once', async () => {
    const sender = await liveTenant(ingest());
    const [good, bad] = [newMessageId(), newMessageId()];
    const [other, marker] = [newMessageId(), newMessageId()];
    const events = [eventOf(good), eventOf(bad, { type: '"x"' })];
    for (let i = 0; i < 4; i++) {
      // Each retry has a new sentAt, and may contain other events as well.
      const around = i === 3 ? [eventOf(other), ...events] : events;
      const answer = await postEvents(ingest(), sender.writeKey, around);
      expect(answer.json().rejected).toMatchObject([{ messageId: bad }]);
    }
    const last = [eventOf(marker), eventText({ type: '"marker"' })];
    await postEvents(ingest(), sender.writeKey, last);
    await storedEvents(sender.workspaceId, [good, other, marker]);
    await rejectedEvents(sender.workspaceId, 2);
    expect(await countEvents(sender.workspaceId)).toBe(3);
  });

  test('each event has one entry, for its first problem', async () => {
    const event = eventText({ type: '"x"', timestamp: '"x"', userId: '1', properties: '1' });
    const answer = await postEvents(ingest(), tenant.writeKey, [event]);
    expect(answer.json().rejected).toHaveLength(1);
  });

  test('rejected events of one workspace are not visible in another', async () => {
    const [one, other] = await Promise.all([liveTenant(ingest()), liveTenant(ingest())]);
    const event = eventText({ type: '"x"' });
    await postEvents(ingest(), one.writeKey, [event]);
    await postEvents(ingest(), other.writeKey, [event]);
    await rejectedEvents(one.workspaceId, 1);
    await rejectedEvents(other.workspaceId, 1);
  });

  test('the largest rejected event is stored byte for byte', async () => {
    const sender = await liveTenant(ingest());
    const event = eventText({ type: '"x"', properties: nestedArrays(200_000) });
    const answer = await postEvents(ingest(), sender.writeKey, [event]);
    expect(answer.status).toBe(400);
    const [kept] = await rejectedEvents(sender.workspaceId, 1);
    // Compared as a boolean: a failing toBe would print the whole text.
    expect(kept!.body === event).toBe(true);
  });
});
