// The output of the normalizer, without a process: each rule, then random requests.

import { describe, expect, test } from 'vitest';
import { checkEnvelope } from '../../../ingest/accept/accept-batch.ts';
import { type ParsedBatch, parseBatch } from '../../../ingest/accept/parse-batch.ts';
import { parseObject } from '../../../ingest/accept/parse-object.ts';
import { STRING_FIELDS } from '../../../ingest/accept/scan/fields.ts';
import { normaliseRequest } from '../../../ingest/compatible/normalise-request.ts';
import { BATCH_EVENTS_MAX, BODY_BYTES_MAX, COMPATIBLE_EVENTS_MAX } from '../../../ingest/limits.ts';
import { realisticEvent, realisticEventText } from '../../harness/batch.ts';
import { createRandom, type Random } from '../../harness/random.ts';
import { wildBody } from '../accept/reference/wild-body.ts';

const IS_LONG = process.env.TEST_LONG === '1';
const REQUESTS = IS_LONG ? 50_000 : 500;
const SEED = Number(process.env.TEST_SEED ?? (IS_LONG ? Date.now() % 1_000_000 : 1));
const RECEIVED_AT = '2026-11-21T10:00:00.000Z';
const SENT_AT = '2026-11-21T09:30:05.000Z';
const FIELDS = [
  'type',
  'event',
  'name',
  'messageId',
  'timestamp',
  'anonymousId',
  'userId',
  'sessionId',
  'properties',
  'traits',
  'context',
];

function normalised(text: string, type?: string, pageNameIn?: 'properties'): Buffer[] {
  const body = parseObject(Buffer.from(text));
  if ('code' in body) throw new Error(body.message);
  const made = normaliseRequest({
    text,
    value: body.value,
    type,
    pageNameIn,
    writeKey: 'wk_1',
    receivedAtMs: Date.parse(RECEIVED_AT),
  });
  if (!Array.isArray(made)) throw new Error(made.code);
  return made;
}

function parsed(body: Buffer): ParsedBatch {
  const batch = parseBatch(body);
  if ('code' in batch) throw new Error(batch.message);
  return batch;
}

/** Returns the fields that an event has: strings as values, objects as JSON text. */
function fieldsOf({ bytes, events }: ParsedBatch, event: number): Record<string, string> {
  const found = FIELDS.flatMap((name, field) => {
    if (!events.has(event, field)) return [];
    if (field < STRING_FIELDS) return [[name, events.text(event, field)!]];
    return [[name, bytes.toString('utf8', events.start(event, field), events.end(event, field))]];
  });
  return Object.fromEntries(found) as Record<string, string>;
}

function one(event: string, fields = `,"sentAt":"${SENT_AT}"`): Record<string, unknown> {
  const [body] = normalised(`{"batch":[${event}]${fields}}`);
  const batch = parsed(body!);
  expect([checkEnvelope(batch), batch.events.problem(0)]).toEqual([undefined, undefined]);
  const { batch: events } = JSON.parse(body!.toString()) as {
    batch: Record<string, unknown>[];
  };
  return events[0]!;
}

describe('missing values are derived', () => {
  test('a complete event is unchanged', () => {
    const event = realisticEventText(realisticEvent(1, 0));
    const [body] = normalised(`{"batch":[${event}],"sentAt":"${SENT_AT}"}`);
    expect(body!.toString()).toContain(event);
  });

  test('userId for anonymousId, and the day for sessionId', () => {
    expect(
      one('{"type":"track","event":"e","userId":"u","timestamp":"2026-11-20T23:30:00-02:00"}'),
    ).toEqual({
      type: 'track',
      event: 'e',
      userId: 'u',
      timestamp: '2026-11-20T23:30:00-02:00',
      anonymousId: 'u',
      messageId: expect.stringMatching(/^[0-9a-f]{32}$/),
      sessionId: 'u:2026-11-21',
    });
  });

  test.for([
    ['"originalTimestamp":"2026-01-01T00:00:00Z","sentAt":"2026-01-02T00:00:00Z"', '2026-01-01'],
    ['"timestamp":null,"sentAt":"2026-01-02T00:00:00Z"', '2026-01-02'],
    ['"timestamp":""', '2026-11-21T09:30:05'],
  ] as const)('the time from %s', ([members, start]) => {
    const event = one(`{"type":"page","userId":"u",${members}}`);
    expect(event.timestamp).toMatch(new RegExp(`^${start}`));
  });

  test('the time of receipt, if the request has none', () => {
    const [body] = normalised('{"batch":[{"type":"page","userId":"u"}]}');
    expect(JSON.parse(body!.toString())).toMatchObject({
      sentAt: RECEIVED_AT,
      batch: [{ timestamp: RECEIVED_AT, sessionId: 'u:2026-11-21' }],
    });
  });

  test.for([
    ['"userId":12345678901234567890', { userId: '12345678901234567890' }],
    ['"userId":null,"anonymousId":-1.50e3', { anonymousId: '-1.50e3', userId: null }],
    ['"userId":"u","sessionId":7', { sessionId: '7' }],
    ['"userId":"u","context":{"sessionId":1700000000001}', { sessionId: '1700000000001' }],
    ['"userId":"u","context":{"sessionId":"s"}', { sessionId: 's' }],
    ['"userId":"u","anonymousId":""', { anonymousId: 'u' }],
  ] as const)('an ID from %s', ([members, expected]) => {
    expect(one(`{"type":"page",${members}}`)).toMatchObject(expected);
  });

  test('a session ID stays within its limit', () => {
    const event = one(`{"type":"page","userId":"${'u'.repeat(512)}"}`);
    expect(event.sessionId).toMatch(/^[0-9a-f]{32}:2026-11-21$/);
  });

  test('the traits of identify from the context, as text', () => {
    const traits = '{"z":1.0, "a":12345678901234567890}';
    const [body] = normalised(
      `{"batch":[{"type":"identify","userId":"u","traits":null,"context":{"traits":${traits}}}]}`,
    );
    expect(fieldsOf(parsed(body!), 0).traits).toBe(traits);
  });

  test.for([
    ['"properties":{"name":"Gr\\u00f6ße"}', '"name":"Gr\\u00f6ße"}]}'],
    ['"name":"","properties":{"name":"Home"}', '"name":"Home"}]}'],
    ['"name":"Own","properties":{"name":"Home"}', '"name":"Own"'],
    ['"properties":{"name":7}', '"properties":{"name":7}'],
  ] as const)('the name of a page of Jitsu’s client from %s', ([members, expected]) => {
    const [body] = normalised(`{"userId":"u",${members}}`, 'page', 'properties');
    expect(body!.toString()).toContain(expected);
    expect(normalised(`{"userId":"u",${members}}`, 'page')[0]!.toString()).not.toContain(
      '"name":"Home"}]',
    );
  });

  test('the type from the path, and the envelope from the event', () => {
    const [body] = normalised(
      `{"type":"other","userId":"u","writeKey":"wk_2","sentAt":"${SENT_AT}","integrations":{}}`,
      'group',
    );
    const { batch, ...envelope } = JSON.parse(body!.toString()) as Record<string, unknown>;
    expect(envelope).toEqual({ writeKey: 'wk_1', sentAt: SENT_AT });
    expect(batch).toMatchObject([{ type: 'group', sentAt: SENT_AT, integrations: {} }]);
    expect(body!.toString()).not.toContain('wk_2');
  });
});

describe('message IDs', () => {
  const idOf = (event: string, sentAt = SENT_AT, before = '') =>
    (
      JSON.parse(
        normalised(`{"batch":[${before}${event}],"sentAt":"${sentAt}"}`)[0]!.toString(),
      ) as { batch: { messageId: string }[] }
    ).batch.at(-1)!.messageId;
  const timed = '{"type":"page","userId":"u","timestamp":"2026-01-01T00:00:00Z"}';
  const untimed = '{"type":"page","userId":"u"}';

  test('are the same for a repeat, also with another sentAt', () => {
    expect(idOf(timed)).toBe(idOf(timed));
    expect(idOf(timed, '2026-11-21T09:31:05.000Z')).toBe(idOf(timed));
  });

  test('differ by text and position, and by sentAt if it is the time of the event', () => {
    const ids = [
      idOf(timed),
      idOf(timed, SENT_AT, `${timed},`),
      idOf(untimed),
      idOf(untimed, '2026-11-21T09:31:05.000Z'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('large requests', () => {
  const events = (count: number) =>
    Array.from(
      { length: count },
      (_, n) => `{"type":"page","userId":"u","name":"${n}","timestamp":"${SENT_AT}"}`,
    );

  test('become batches of at most 100 events, in order', () => {
    const bodies = normalised(`{"batch":[${events(250).join()}],"context":{"a":1}}`);
    const batches = bodies.map(parsed);
    expect(batches.map(({ eventCount }) => eventCount)).toEqual([100, 100, 50]);
    const names = bodies.flatMap(body =>
      (JSON.parse(body.toString()) as { batch: { name: string }[] }).batch.map(({ name }) => name),
    );
    expect(names).toEqual(events(250).map((_, n) => String(n)));
    for (const batch of batches) expect(batch.context).toBeDefined();
  });

  test('that exceed the limit are split; a single event that exceeds it is refused', () => {
    const value = (bytes: number) => `"${'x'.repeat(bytes)}"`;
    const event = (bytes: number) => `{"type":"page","userId":"u","other":${value(bytes)}}`;
    const bodies = normalised(`{"batch":[${event(255_900)},${event(255_900)}]}`);
    expect(bodies).toHaveLength(2);
    for (const body of bodies) expect(body.length).toBeLessThanOrEqual(BODY_BYTES_MAX);
    expect(() => normalised(`{"batch":[${event(BODY_BYTES_MAX - 80)}]}`)).toThrow(
      'PAYLOAD_TOO_LARGE',
    );
  });

  test('have a maximum number of events', () => {
    const empty = (count: number) => `{"batch":[${'0,'.repeat(count - 1)}0]}`;
    expect(normalised(empty(COMPATIBLE_EVENTS_MAX))).toHaveLength(
      COMPATIBLE_EVENTS_MAX / BATCH_EVENTS_MAX,
    );
    expect(() => normalised(empty(COMPATIBLE_EVENTS_MAX + 1))).toThrow('TOO_MANY_EVENTS');
  });
});

test.for(['{"batch":7}', '{"batch":null}', '{}', '{"batch":[]}'])(
  '%s is left for the contract to refuse',
  text => {
    expect(normalised(text)).toHaveLength(1);
    expect(checkEnvelope(parsed(normalised(text)[0]!))).toBeDefined();
  },
);

test(`random events: values are as sent, and missing values are filled in (seed ${SEED})`, () => {
  const random = createRandom(SEED);
  for (let request = 0; request < REQUESTS; request++) {
    const sent = Array.from({ length: 1 + random.below(5) }, (_, n) => strip(random, n));
    const text = `{"batch":[${sent.map(({ text }) => text).join(' , ')}],"sentAt":"${SENT_AT}"}`;
    const [body] = normalised(text);
    expect(normalised(text)).toEqual([body]);
    const batch = parsed(body!);
    for (const [n, { kept }] of sent.entries()) {
      expect(batch.events.problem(n), text).toBeUndefined();
      expect(fieldsOf(batch, n), text).toMatchObject(kept);
    }
  }
});

test(`random bodies: bodies that the contract accepts are unchanged (seed ${SEED})`, () => {
  const random = createRandom(SEED);
  let compared = 0;
  for (let request = 0; request < REQUESTS; request++) {
    const bytes = wildBody(random);
    const contract = parseBatch(bytes);
    if ('code' in contract || contract.eventCount > BATCH_EVENTS_MAX) continue;
    const made = normaliseRequest({
      text: bytes.toString(),
      value: JSON.parse(bytes.toString()) as Record<string, unknown>,
      type: undefined,
      writeKey: contract.writeKey ?? '',
      receivedAtMs: Date.parse(RECEIVED_AT),
    });
    if (!Array.isArray(made) || made.length !== 1) continue;
    const batch = parsed(made[0]!);
    expect(batch.eventCount).toBe(contract.eventCount);
    for (let event = 0; event < contract.events.count; event++) {
      if (contract.events.isRefused(event)) continue;
      compared++;
      expect(fieldsOf(batch, event)).toMatchObject(fieldsOf(contract, event));
    }
  }
  expect(compared).toBeGreaterThan(0);
});

type Sent = { readonly text: string; readonly kept: Readonly<Record<string, string>> };

/** Returns a realistic event with some members removed and a few added. */
function strip(random: Random, number: number): Sent {
  const event = realisticEvent(random.below(1_000_000), number);
  const isNamed = random.below(2) === 0;
  const kept = Object.entries({ ...event, userId: event.userId ?? 'user' }).filter(
    ([name]) => !OPTIONAL.has(name) || random.below(2) === 0,
  ) as [string, string][];
  const texts = kept.map(([name, value]) =>
    OBJECTS.has(name)
      ? `${JSON.stringify(name)} : ${value}`
      : `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  const more = ['"integrations":{"All":true}', '"originalTimestamp":"2026-11-21T09:00:00Z"'];
  const text = `{${random.shuffle([...texts, ...(isNamed ? more : [])]).join(', ')}}`;
  return { text, kept: Object.fromEntries(kept) };
}

const OPTIONAL = new Set(['messageId', 'timestamp', 'anonymousId', 'sessionId']);
const OBJECTS = new Set(['properties', 'traits', 'context']);
