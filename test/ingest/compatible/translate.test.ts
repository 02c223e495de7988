// The conversion of events of PostHog's clients, without a process: each rule, then random events.

import { describe, expect, test } from 'vitest';
import { checkEnvelope } from '../../../ingest/accept/accept-batch.ts';
import { parseBatch } from '../../../ingest/accept/parse-batch.ts';
import { translateRequest } from '../../../ingest/compatible/posthog/translate-request.ts';
import { BATCH_EVENTS_MAX } from '../../../ingest/limits.ts';
import { realisticEvent } from '../../harness/batch.ts';
import { createRandom } from '../../harness/random.ts';

const IS_LONG = process.env.TEST_LONG === '1';
const REQUESTS = IS_LONG ? 20_000 : 200;
const SEED = Number(process.env.TEST_SEED ?? (IS_LONG ? Date.now() % 1_000_000 : 1));
const RECEIVED_AT = '2026-11-21T10:00:00.000Z';
const SENT_AT = '2026-11-21T09:30:05.000Z';

type Event = Readonly<Record<string, unknown>>;

function written(text: string): string[] {
  const made = translateRequest({
    text,
    value: JSON.parse(text) as Event,
    writeKey: 'wk_1',
    receivedAtMs: Date.parse(RECEIVED_AT),
  });
  if (!Array.isArray(made)) throw new Error(made.code);
  return made.map(String);
}

function eventsOf(body: string): Event[] {
  const batch = parseBatch(Buffer.from(body));
  if ('code' in batch) throw new Error(batch.message);
  expect(checkEnvelope(batch)).toBeUndefined();
  for (let place = 0; place < batch.events.count; place++)
    expect(batch.events.problem(place), body).toBeUndefined();
  return (JSON.parse(body) as { batch: Event[] }).batch;
}

/** One event, as the contract takes it. */
function one(members: string, properties = '', sentAt = SENT_AT): Event {
  const event = `{"distinct_id":"u","uuid":"m","properties":{${properties}},${members}}`;
  return eventsOf(written(`{"batch":[${event}],"sent_at":"${sentAt}"}`)[0]!)[0]!;
}

describe('the type', () => {
  test.for<[string, string, string, Event]>([
    ['$pageview', '', '"name":"Home"', { type: 'page', name: 'Home' }],
    ['$pageview', '', '"title":"Shop"', { type: 'page' }],
    ['$pageview', '', '"name":7', { type: 'page' }],
    ['$screen', '', '"$screen_name":"Cart"', { type: 'screen', name: 'Cart' }],
    ['$identify', ',"$set":{"plan":"pro"}', '', { type: 'identify', traits: { plan: 'pro' } }],
    ['$identify', '', '"$set":{"plan":"pro"}', { type: 'identify', traits: { plan: 'pro' } }],
    ['$set', '', '"$set":{"plan":"pro"}', { type: 'identify', traits: { plan: 'pro' } }],
    ['$create_alias', '', '"alias":"before"', { type: 'alias', previousId: 'before' }],
    ['$merge_dangerously', '', '"alias":"before"', { type: 'alias', previousId: 'before' }],
    [
      '$groupidentify',
      '',
      '"$group_type":"company","$group_key":"g","$group_set":{"a":1}',
      { type: 'group', groupId: 'g', traits: { a: 1 } },
    ],
    ['$autocapture', '', '"$event_type":"click"', { type: 'track', event: '$autocapture' }],
    ['constructor', '', '', { type: 'track', event: 'constructor' }],
  ])('of %s %s %s', ([event, members, properties, expected]) => {
    const found = one(`"event":"${event}","type":"capture"${members}`, properties);
    expect(found).toMatchObject({ ...expected, properties: JSON.parse(`{${properties}}`) });
    for (const name of ['event', 'name', 'traits'])
      if (!(name in expected)) expect(found, name).not.toHaveProperty(name);
  });
});

describe('the IDs', () => {
  test.for<[string, string, Event]>([
    ['of a server', '', { userId: 'u', anonymousId: 'u' }],
    ['of a person', '"$device_id":"d"', { userId: 'u', anonymousId: 'd' }],
    [
      'of a person who was anonymous',
      '"$device_id":"d","$anon_distinct_id":"a"',
      { userId: 'u', anonymousId: 'a' },
    ],
    ['of an unknown person', '"$device_id":"u"', { anonymousId: 'u' }],
    [
      'of an unknown person after another one',
      '"$device_id":"d","$is_identified":false',
      { anonymousId: 'u' },
    ],
    [
      'of a person whose ID is that of the device',
      '"$device_id":"u","$is_identified":true',
      { anonymousId: 'u' },
    ],
  ])('%s', ([, properties, { userId, anonymousId }]) => {
    const found = one('"event":"e"', properties);
    expect([found.userId, found.anonymousId]).toEqual([userId, anonymousId]);
  });

  test('are also among the properties, and numbers', () => {
    const event = '{"event":"e","properties":{"distinct_id":12345678901234567890}}';
    expect(eventsOf(written(event)[0]!)[0]).toMatchObject({ userId: '12345678901234567890' });
    const other = '{"event":"e","distinct_id":null,"$distinct_id":"u"}';
    expect(eventsOf(written(other)[0]!)[0]).toMatchObject({ userId: 'u' });
  });

  test('of session and message', () => {
    expect(one('"event":"e"', '"$session_id":"s"')).toMatchObject({
      messageId: 'm',
      sessionId: 's',
    });
    expect(one('"event":"e"').sessionId).toBe('u:2026-11-21');
  });

  test('of a message without one: the same for the same bytes', () => {
    const idOf = (event: string) => eventsOf(written(event)[0]!)[0]!.messageId;
    const event = '{"event":"e","distinct_id":"u","offset":7}';
    expect(idOf(event)).toMatch(/^[0-9a-f]{32}$/);
    expect(idOf(event)).toBe(idOf(event));
    expect(idOf(event)).not.toBe(idOf(event.replace('"e"', '"f"')));
  });
});

describe('the time', () => {
  test.for([
    ['"timestamp":"2026-11-20T23:30:00-02:00","offset":7', '2026-11-20T23:30:00-02:00'],
    ['"offset":1500', '2026-11-21T09:30:03.500Z'],
    ['"offset":-1', SENT_AT],
    ['"offset":1e300', SENT_AT],
    ['"offset":"7"', SENT_AT],
    ['"timestamp":""', SENT_AT],
  ] as const)('from %s', ([members, expected]) => {
    expect(one(`"event":"e",${members}`).timestamp).toBe(expected);
  });

  test('of receipt, if the request has none', () => {
    const body = written('{"event":"e","distinct_id":"u","uuid":"m"}')[0]!;
    expect(JSON.parse(body)).toMatchObject({
      sentAt: RECEIVED_AT,
      batch: [{ timestamp: RECEIVED_AT }],
    });
  });
});

test('the context has page, campaign, system, app and library', () => {
  const properties = {
    $current_url: 'https://shop.example.com/a',
    $pathname: '/a',
    $referrer: null,
    utm_source: 'news',
    utm_campaign: 'spring',
    utm_medium: null,
    $os: 'Linux',
    $os_version: { deep: {} },
    $app_version: '1.2',
    $lib: 'web',
    $timezone: 'UTC',
  };
  expect(one('"event":"e"', JSON.stringify(properties).slice(1, -1)).context).toEqual({
    page: { url: 'https://shop.example.com/a', path: '/a' },
    campaign: { source: 'news', name: 'spring' },
    os: { name: 'Linux' },
    app: { version: '1.2' },
    library: { name: 'web' },
    timezone: 'UTC',
  });
  expect(one('"event":"e"')).not.toHaveProperty('context');
});

test('other members are kept as text; those of the contract cannot be set', () => {
  const body = written(
    `{"batch":[{"event":"e","event":"f","distinct_id":"u","properties":{"z" : 1.0,"a":12345678901234567890},
      "$set_once": {"b":1e2}, "userId":"x","context":{"a":1},"api_key":"wk_2"}],"api_key":"wk_2"}`,
  )[0]!;
  expect(body).toContain('"properties":{"z" : 1.0,"a":12345678901234567890}');
  expect(body).toContain('"$set_once": {"b":1e2}');
  expect(body).not.toContain('wk_2');
  expect(eventsOf(body)[0]).toMatchObject({ event: 'f', userId: 'u' });
  expect(eventsOf(body)[0]).not.toHaveProperty('context');
});

test(`random events: properties are as sent, and missing values are filled in (seed ${SEED})`, () => {
  const random = createRandom(SEED);
  for (let request = 0; request < REQUESTS; request++) {
    const sent = Array.from({ length: 1 + random.below(150) }, (_, n) => {
      const { properties, event } = realisticEvent(random.below(1_000_000), n);
      return `{"event":${JSON.stringify(event ?? 'e')} , "properties":${properties ?? '{}'},"distinct_id":"u${n}"}`;
    });
    const bodies = written(`{"sent_at":"${SENT_AT}","batch":[ ${sent.join(' , ')} ]}`);
    expect(bodies).toHaveLength(Math.ceil(sent.length / BATCH_EVENTS_MAX));
    const events = bodies.flatMap(eventsOf);
    expect(events.map(({ userId }) => userId)).toEqual(sent.map((_, n) => `u${n}`));
    for (const text of sent)
      expect(bodies.join('')).toContain(/"properties":.*(?=,"distinct_id")/s.exec(text)![0]);
  }
});
