import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  batchText,
  EVENT_TYPES,
  EVENTS_MAX,
  eventOf,
  eventText,
  newMessageId,
  realisticEvent,
  realisticEventText,
  type Texts,
} from '../harness/batch.ts';
import { expectAccepted, liveTenant, post, postEvents } from '../harness/batch-client.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { storedEvent, storedEvents } from '../harness/stored-events.ts';
import type { Tenant } from '../harness/tenant.ts';
import type { EventRow } from '../harness/warehouse.ts';

const NO_ID = '00000000-0000-0000-0000-000000000000';

const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

/** Posts one event and reads it back. */
async function stored(fields: Texts, envelope: Texts = {}, headers = {}): Promise<EventRow> {
  const messageId = newMessageId();
  const event = eventOf(messageId, fields);
  const answer = await postEvents(ingest(), tenant.writeKey, [event], envelope, { headers });
  expectAccepted(answer, 1);
  return storedEvent(tenant.workspaceId, messageId);
}

const CONTEXT =
  '{"c": {"d": null}, "os": {"name": "iOS"}, "app": {"version": 4}, "campaign": {"source": "search"}}';

describe.concurrent('fields', () => {
  test('every field of the contract is stored', async () => {
    const messageId = newMessageId();
    const sentAt = new Date().toISOString();
    const before = Date.now();
    const event = eventOf(messageId, {
      type: '"identify"',
      event: '"An event name"',
      name: '"A name"',
      timestamp: '"2026-03-04T05:06:07.089Z"',
      anonymousId: '"an-anonymous-id"',
      userId: '"a-user-id"',
      sessionId: '"a-session-id"',
      properties: '{"a": 1}',
      traits: '{"b": [2]}',
      context: CONTEXT,
    });
    const envelope = {
      sentAt: JSON.stringify(sentAt),
      context: '{ "region":"eu-1","endpoint": "https://in.example.com" }',
    };
    expectAccepted(await postEvents(ingest(), tenant.writeKey, [event], envelope), 1);
    const row = await storedEvent(tenant.workspaceId, messageId);
    expect(row).toEqual({
      workspace_id: tenant.workspaceId,
      property_id: NO_ID,
      sdk_key_id: tenant.keyId,
      type: 'identify',
      event: 'An event name',
      name: 'A name',
      message_id: messageId,
      anonymous_id: 'an-anonymous-id',
      user_id: 'a-user-id',
      session_id: 'a-session-id',
      timestamp: '2026-03-04T05:06:07.089Z',
      timestamp_text: '',
      sent_at: sentAt,
      sent_at_text: '',
      received_at: expect.any(String),
      corrected_at: '2026-03-04T05:06:07.089Z',
      properties: '{"a": 1}',
      traits: '{"b": [2]}',
      context: CONTEXT,
      extra: '',
      batch_context: '{ "region":"eu-1","endpoint": "https://in.example.com" }',
      batch_extra: '',
      person: expect.any(Number),
      os_name: 'iOS',
      app_version: '4',
      campaign_source: 'search',
      campaign_name: '',
    });
    expect(Date.parse(row.received_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(row.received_at)).toBeLessThanOrEqual(Date.now());
  });

  test('absent optional fields are empty', async () => {
    const row = await stored({ type: '"alias"', event: undefined });
    expect(row).toMatchObject({ event: '', name: '', user_id: '' });
    expect(row).toMatchObject({ properties: '', traits: '', context: '', extra: '' });
    expect(row).toMatchObject({ batch_context: '', batch_extra: '' });
  });

  test('null optional fields are empty', async () => {
    const nothing = { userId: 'null', properties: 'null', traits: 'null', context: 'null' };
    const row = await stored({ type: '"page"', event: 'null', name: 'null', ...nothing });
    expect(row).toMatchObject({ event: '', name: '', user_id: '' });
    expect(row).toMatchObject({ properties: '', traits: '', context: '' });
  });

  test.for(EVENT_TYPES)('%s is an event type', async type => {
    expect(await stored({ type: JSON.stringify(type) })).toMatchObject({ type });
  });

  test.for(['page', 'screen'])('%s needs no name and no event', async type => {
    const row = await stored({ type: JSON.stringify(type), event: undefined });
    expect(row).toMatchObject({ type, name: '', event: '' });
  });

  test.for(['geofence.entered', 'geofence.exited'])('%s is a plain track event', async event => {
    expect(await stored({ event: JSON.stringify(event) })).toMatchObject({ type: 'track', event });
  });

  test('fields that the contract does not name are kept in extra', async () => {
    const row = await stored({
      groupId: '"group-1"',
      previousId: '"previous-1"',
      integrations: '{ "All":true , "big":12345678901234567890}',
      nothing: 'null',
    });
    expect(row.extra).toContain('{ "All":true , "big":12345678901234567890}');
    expect(JSON.parse(row.extra)).toEqual({
      groupId: 'group-1',
      previousId: 'previous-1',
      integrations: { All: true, big: Number('12345678901234567890') },
      nothing: null,
    });
  });

  test('fields of the batch that the contract does not name are kept in batch_extra', async () => {
    const row = await stored({}, { integrations: '{"x": 1.0}', attempt: '3' });
    expect(row.batch_extra).toContain('{"x": 1.0}');
    expect(JSON.parse(row.batch_extra)).toEqual({ integrations: { x: 1 }, attempt: 3 });
    expect(row.extra).toBe('');
  });

  test('each event of a batch has the context and the extra fields of the batch', async () => {
    const ids = [newMessageId(), newMessageId()];
    const events = ids.map(id => eventOf(id));
    const envelope = { context: '{"region":"in-1"}', hop: '"edge"' };
    expectAccepted(await postEvents(ingest(), tenant.writeKey, events, envelope), 2);
    for (const row of await storedEvents(tenant.workspaceId, ids)) {
      expect(row.batch_context).toBe('{"region":"in-1"}');
      expect(JSON.parse(row.batch_extra)).toEqual({ hop: 'edge' });
    }
  });

  test('an escaped field name is recognized', async () => {
    const messageId = newMessageId();
    const event = `{"\\u0074ype":"track","\\u0065vent":"Escaped","message\\u0049d":"${messageId}",
      "timest\\u0061mp":"2026-01-01T00:00:00.000Z","anonymous\\u0049d":"a","session\\u0049d":"s",
      "propert\\u0069es":{"k":1}}`;
    const key = JSON.stringify(tenant.writeKey);
    const body = `{"\\u0062atch":[${event}],"sent\\u0041t":"2026-01-01T00:00:00.000Z","write\\u004bey":${key}}`;
    expectAccepted(await post(ingest(), body), 1);
    const row = await storedEvent(tenant.workspaceId, messageId);
    expect(row).toMatchObject({
      type: 'track',
      event: 'Escaped',
      properties: '{"k":1}',
      extra: '',
    });
  });

  test('strings with escapes are stored decoded', async () => {
    const row = await stored({
      event: '"caf\\u00e9 \\ud83d\\ude80 \\"q\\" \\\\ \\/ \\b\\f\\n\\r\\t"',
      userId: '"\\u0075ser"',
    });
    expect(row).toMatchObject({ event: 'café 🚀 "q" \\ / \b\f\n\r\t', user_id: 'user' });
  });

  test('strings of any script are stored as sent', async () => {
    const event = 'ऑर्डर 注文 Заказ طلب 👩‍👩‍👧‍👦 e\u0301';
    expect(await stored({ event: JSON.stringify(event) })).toMatchObject({ event });
  });

  test('strings of 512 characters are stored', async () => {
    // Characters, not UTF-16 units: each of these takes two units and four bytes.
    const long = '🚀'.repeat(512);
    const text = JSON.stringify(long);
    const names = { event: text, name: text };
    const ids = { anonymousId: text, userId: text, sessionId: text };
    expect(await stored({ ...names, ...ids })).toMatchObject({
      event: long,
      name: long,
      anonymous_id: long,
      user_id: long,
      session_id: long,
    });
  });

  test('a messageId of 512 characters is stored', async () => {
    const messageId = `${randomUUID()}${'é'.repeat(512 - 36)}`;
    expectAccepted(await postEvents(ingest(), tenant.writeKey, [eventOf(messageId)]), 1);
    expect(await storedEvent(tenant.workspaceId, messageId)).toMatchObject({ type: 'track' });
  });

  test('X-Property-Id is stored when it is a property of the workspace', async () => {
    const row = await stored({}, {}, { 'x-property-id': tenant.propertyId });
    expect(row.property_id).toBe(tenant.propertyId);
  });

  test('X-Organization-ID of the key changes nothing', async () => {
    const row = await stored({}, {}, { 'x-organization-id': tenant.organizationId });
    expect(row.workspace_id).toBe(tenant.workspaceId);
  });
});

describe.concurrent('envelope', () => {
  test('100 events of all types come back as sent', async () => {
    const seed = Math.floor(Math.random() * 1_000_000) + 1;
    const events = Array.from({ length: EVENTS_MAX }, (_, i) => realisticEvent(seed, i));
    const answer = await postEvents(ingest(), tenant.writeKey, events.map(realisticEventText));
    expectAccepted(answer, EVENTS_MAX);
    const ids = events.map(event => event.messageId);
    const found = await storedEvents(tenant.workspaceId, ids);
    for (const [i, event] of events.entries()) {
      expect(found[i], `seed ${seed}`).toMatchObject({
        type: event.type,
        event: event.event ?? '',
        name: event.name ?? '',
        timestamp: event.timestamp,
        anonymous_id: event.anonymousId,
        user_id: event.userId ?? '',
        session_id: event.sessionId,
        properties: event.properties ?? '',
        traits: event.traits ?? '',
        context: event.context ?? '',
      });
    }
  });

  test.for([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON',
    'text/plain',
    'text/plain;charset=UTF-8',
  ])('Content-Type %s', async type => {
    const body = batchText(tenant.writeKey, [eventText()]);
    expectAccepted(await post(ingest(), body, { headers: { 'content-type': type } }), 1);
  });

  test('white space around and between tokens is allowed', async () => {
    const messageId = newMessageId();
    const body = batchText(tenant.writeKey, [` \t\r\n${eventOf(messageId)} \t\r\n`]);
    expectAccepted(await post(ingest(), ` \r\n\t${body}\n\n `), 1);
    await storedEvent(tenant.workspaceId, messageId);
  });

  test('the order of fields does not matter', async () => {
    const [first, second] = [newMessageId(), newMessageId()];
    const key = JSON.stringify(tenant.writeKey);
    const now = JSON.stringify(new Date().toISOString());
    const events = `[${eventOf(first)},${eventOf(second)}]`;
    expectAccepted(
      await post(ingest(), `{"writeKey":${key},"sentAt":${now},"batch":${events}}`),
      2,
    );
    await storedEvents(tenant.workspaceId, [first, second]);
  });

  test('a null context of the batch counts as absent', async () => {
    expect((await stored({}, { context: 'null' })).batch_context).toBe('');
  });

  test.for([
    ['X-Service-Write-Key', (key: string) => ({ 'x-service-write-key': key })],
    ['Authorization', (key: string) => ({ authorization: `Bearer ${key}` })],
  ] as const)('the key of the body wins over another one in %s', async ([, headers]) => {
    const row = await stored({}, {}, headers('wk_unknown_unknown_unknown'));
    expect(row.sdk_key_id).toBe(tenant.keyId);
  });

  test('the key of the body wins over the valid key of another tenant', async () => {
    const other = await liveTenant(ingest());
    const row = await stored({}, {}, { 'x-service-write-key': other.writeKey });
    expect(row).toMatchObject({ workspace_id: tenant.workspaceId, sdk_key_id: tenant.keyId });
  });

  test('a query string changes nothing', async () => {
    const { send } = await import('../harness/http.ts');
    const body = batchText(tenant.writeKey, [eventText()]);
    const headers = { 'content-type': 'application/json' };
    expectAccepted(await send(`${ingest().url}/v1/batch?v=4.2&x=%00`, { body, headers }), 1);
  });
});
