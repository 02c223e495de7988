import { expect, test } from 'vitest';
import { eventOf, newMessageId, type Texts } from '../harness/batch.ts';
import {
  expectAccepted,
  expectRejections,
  liveTenant,
  postEvents,
} from '../harness/batch-client.ts';
import { startIngest, useIngest } from '../harness/ingest-process.ts';
import { storedEvent, storedEvents } from '../harness/stored-events.ts';
import type { Tenant } from '../harness/tenant.ts';
import { countEvents } from '../harness/warehouse.ts';

// A single thread writes one log, so when a later event is readable, all earlier ones are too.
const ingest = useIngest({ threads: 1 });

async function untilReadable(tenant: Tenant): Promise<void> {
  const messageId = newMessageId();
  expectAccepted(await postEvents(ingest(), tenant.writeKey, [eventOf(messageId)]), 1);
  await storedEvent(tenant.workspaceId, messageId);
}

const numbered = (messageId: string, number: number, fields: Texts = {}) =>
  eventOf(messageId, { properties: `{"copy":${number}}`, ...fields });

test.concurrent('a batch sent twice is accepted twice and stored once', async () => {
  const tenant = await liveTenant(ingest());
  const ids = Array.from({ length: 30 }, newMessageId);
  const events = ids.map(id => eventOf(id));
  const answers = [
    await postEvents(ingest(), tenant.writeKey, events),
    await postEvents(ingest(), tenant.writeKey, events),
  ];
  for (const answer of answers) expectAccepted(answer, 30);
  await storedEvents(tenant.workspaceId, ids);
  await untilReadable(tenant);
  expect(await countEvents(tenant.workspaceId)).toBe(31);
});

test.concurrent('a batch sent many times concurrently is stored once', async () => {
  const tenant = await liveTenant(ingest());
  const ids = Array.from({ length: 20 }, newMessageId);
  const events = ids.map(id => eventOf(id));
  const copies = Array.from({ length: 16 }, () => postEvents(ingest(), tenant.writeKey, events));
  for (const answer of await Promise.all(copies)) expectAccepted(answer, 20);
  await storedEvents(tenant.workspaceId, ids);
  await untilReadable(tenant);
  expect(await countEvents(tenant.workspaceId)).toBe(21);
});

test.concurrent('within one batch, the first event with an ID is kept', async () => {
  const tenant = await liveTenant(ingest());
  const id = newMessageId();
  const events = [numbered(id, 1), numbered(id, 2), numbered(newMessageId(), 3), numbered(id, 4)];
  expectAccepted(await postEvents(ingest(), tenant.writeKey, events), 4);
  expect(await storedEvent(tenant.workspaceId, id)).toMatchObject({ properties: '{"copy":1}' });
  await untilReadable(tenant);
  expect(await countEvents(tenant.workspaceId)).toBe(3);
});

test.concurrent('within one batch, the first is kept even with another timestamp and name', async () => {
  const tenant = await liveTenant(ingest());
  const id = newMessageId();
  const events = [
    numbered(id, 1, { timestamp: '"2026-05-05T00:00:00.000Z"' }),
    numbered(id, 2, { timestamp: '"2026-05-04T00:00:00.000Z"' }),
    numbered(id, 3, { timestamp: '"2025-05-05T00:00:00.000Z"' }),
    numbered(id, 4, { timestamp: '"2026-05-05T00:00:00.000Z"', event: '"Other"' }),
  ];
  expectAccepted(await postEvents(ingest(), tenant.writeKey, events), 4);
  expect(await storedEvent(tenant.workspaceId, id)).toMatchObject({ properties: '{"copy":1}' });
  await untilReadable(tenant);
  expect(await countEvents(tenant.workspaceId)).toBe(2);
});

test.concurrent('across two batches, the first is kept, even with another timestamp and sentAt', async () => {
  const tenant = await liveTenant(ingest());
  const id = newMessageId();
  const first = numbered(id, 1, { timestamp: '"2026-05-05T00:00:00.000Z"' });
  const second = numbered(id, 2, { timestamp: '"2024-01-01T00:00:00.000Z"' });
  expectAccepted(await postEvents(ingest(), tenant.writeKey, [first]), 1);
  const sentAt = '"2026-05-06T00:00:00.000Z"';
  expectAccepted(await postEvents(ingest(), tenant.writeKey, [second], { sentAt }), 1);
  await untilReadable(tenant);
  const row = await storedEvent(tenant.workspaceId, id);
  expect(row).toMatchObject({ properties: '{"copy":1}', timestamp: '2026-05-05T00:00:00.000Z' });
});

test.concurrent('an id written with escapes is the same id', async () => {
  const tenant = await liveTenant(ingest());
  const id = newMessageId();
  const escaped = numbered(id, 2, { messageId: `"\\u006d${id.slice(1)}"` });
  expectAccepted(await postEvents(ingest(), tenant.writeKey, [numbered(id, 1), escaped]), 2);
  await untilReadable(tenant);
  expect(await storedEvent(tenant.workspaceId, id)).toMatchObject({ properties: '{"copy":1}' });
});

test.concurrent('ids that differ in case, space or normal form are different ids', async () => {
  const tenant = await liveTenant(ingest());
  const id = newMessageId();
  const ids = [id, id.toUpperCase(), ` ${id}`, `${id} `, `${id}é`, `${id}e\u0301`];
  const events = ids.map(each => eventOf(each));
  expectAccepted(await postEvents(ingest(), tenant.writeKey, events), ids.length);
  await storedEvents(tenant.workspaceId, ids);
});

test.concurrent('the same id in two workspaces is two events', async () => {
  const [one, other] = await Promise.all([liveTenant(ingest()), liveTenant(ingest())]);
  const id = newMessageId();
  expectAccepted(await postEvents(ingest(), one.writeKey, [numbered(id, 1)]), 1);
  expectAccepted(await postEvents(ingest(), other.writeKey, [numbered(id, 2)]), 1);
  expect(await storedEvent(one.workspaceId, id)).toMatchObject({ properties: '{"copy":1}' });
  expect(await storedEvent(other.workspaceId, id)).toMatchObject({ properties: '{"copy":2}' });
});

test.concurrent('the ID of a rejected event can be used in a later batch', async () => {
  const tenant = await liveTenant(ingest());
  const id = newMessageId();
  const refused = await postEvents(ingest(), tenant.writeKey, [eventOf(id, { type: '"x"' })]);
  expectRejections(refused, 0, [{ index: 0, messageId: id, code: 'UNKNOWN_EVENT_TYPE' }]);
  expectAccepted(await postEvents(ingest(), tenant.writeKey, [numbered(id, 2)]), 1);
  expect(await storedEvent(tenant.workspaceId, id)).toMatchObject({ properties: '{"copy":2}' });
});

test.concurrent('the ID of a rejected event can be used in the same batch', async () => {
  const tenant = await liveTenant(ingest());
  const id = newMessageId();
  const events = [eventOf(id, { type: '"x"' }), numbered(id, 2)];
  const answer = await postEvents(ingest(), tenant.writeKey, events);
  expectRejections(answer, 1, [{ index: 0, messageId: id, code: 'UNKNOWN_EVENT_TYPE' }]);
  expect(await storedEvent(tenant.workspaceId, id)).toMatchObject({ properties: '{"copy":2}' });
});

test.concurrent('a rejected event with a stored ID does not change the stored event', async () => {
  const tenant = await liveTenant(ingest());
  const id = newMessageId();
  expectAccepted(await postEvents(ingest(), tenant.writeKey, [numbered(id, 1)]), 1);
  const answer = await postEvents(ingest(), tenant.writeKey, [eventOf(id, { type: '"x"' })]);
  expectRejections(answer, 0, [{ index: 0, messageId: id, code: 'UNKNOWN_EVENT_TYPE' }]);
  await untilReadable(tenant);
  expect(await storedEvent(tenant.workspaceId, id)).toMatchObject({ properties: '{"copy":1}' });
});

test.concurrent('a retry on another node, after the first was stored, adds nothing', async () => {
  const tenant = await liveTenant(ingest());
  const other = await startIngest({ threads: 1 });
  try {
    const ids = Array.from({ length: 10 }, newMessageId);
    const events = ids.map(id => eventOf(id));
    expectAccepted(await postEvents(ingest(), tenant.writeKey, events), 10);
    await storedEvents(tenant.workspaceId, ids);
    // The other node has not seen these IDs, so only the table can deduplicate them.
    const marker = newMessageId();
    const again = [...events, eventOf(marker)];
    expectAccepted(await postEvents(other, tenant.writeKey, again), 11);
    await storedEvents(tenant.workspaceId, [...ids, marker]);
    expect(await countEvents(tenant.workspaceId)).toBe(11);
  } finally {
    await other.stop();
  }
});

test.concurrent('an ID reused on another node does not replace the first copy', async () => {
  const tenant = await liveTenant(ingest());
  const other = await startIngest({ threads: 1 });
  try {
    const id = newMessageId();
    const day = { timestamp: '"2026-05-05T00:00:00.000Z"' };
    expectAccepted(await postEvents(ingest(), tenant.writeKey, [numbered(id, 1, day)]), 1);
    await storedEvent(tenant.workspaceId, id);
    const marker = newMessageId();
    const again = [numbered(id, 2, day), eventOf(marker)];
    expectAccepted(await postEvents(other, tenant.writeKey, again), 2);
    await storedEvents(tenant.workspaceId, [marker]);
    // Analysts read the copy that was received first.
    expect(await storedEvent(tenant.workspaceId, id)).toMatchObject({ properties: '{"copy":1}' });
  } finally {
    await other.stop();
  }
});
