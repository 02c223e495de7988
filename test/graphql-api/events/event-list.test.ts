// The list of events neither repeats nor skips a row while more rows arrive.

import { describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../schema/values/durations.ts';
import { createRandom } from '../../harness/random.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { eventRow, insertRows, type Row, reportOf } from '../harness/report-rows.ts';
import { tokenFor } from '../harness/tokens.ts';
import { allPages, FROM_MS, PAGE, type Page, RANGE } from './all-pages.ts';

const api = useSharedApi();

const EVENTS = `query ($range: ReportRange!, $first: Int!, $after: String, $types: [EventType!],
  $names: [String!], $userId: String, $anonymousId: String, $messageId: String, $time: EventTime) {
  events(range: $range, time: $time, first: $first, after: $after, types: $types, names: $names,
    userId: $userId, anonymousId: $anonymousId, messageId: $messageId
  ) { nodes { messageId event timestamp } ${PAGE} }
}`;

type ShownEvent = { messageId: string; event: string | null; timestamp: string };

/** Many rows share a millisecond, over the whole month; each ID has two event names. */
function crowd(tenant: Tenant, count: number, seed = 1): Row[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, number) => {
    const pair = Math.floor(number / 2);
    return eventRow(tenant, {
      event: number % 2 === 0 ? 'A' : 'B',
      message_id: `${seed}-${pair}-${'ézZ'[pair % 3]}`,
      timestamp: new Date(
        FROM_MS + random.pick([1, 8, 20, 28, 29]) * DAY_MS + random.below(4),
      ).toISOString(),
      user_id: `user-${number % 3}`,
      anonymous_id: `anonymous-${pair % 2}`,
      type: number % 5 === 0 ? 'screen' : 'track',
    });
  });
}

const BY_TIMESTAMP = ['timestamp', 'message_id', 'event'];
const BY_RECEIVED_AT = ['received_at', 'message_id', 'event', 'timestamp'];

/** Sorts newest first, and strings by their bytes. */
function inOrder(rows: readonly Row[], columns = BY_TIMESTAMP): ShownEvent[] {
  const compare = (a: Row, b: Row) => (column: string) =>
    Buffer.compare(Buffer.from(String(b[column])), Buffer.from(String(a[column])));
  return rows
    .toSorted((a, b) => columns.map(compare(a, b)).find(order => order !== 0) ?? 0)
    .map(row => ({
      messageId: row.message_id as string,
      event: row.event as string,
      timestamp: row.timestamp as string,
    }));
}

describe.concurrent('events', () => {
  test('are each listed once, newest first, also within one millisecond', async () => {
    const tenant = await createTenant();
    const rows = crowd(tenant, 120);
    await insertRows('events_raw', rows);
    const seen = await allPages<ShownEvent>(tenant, EVENTS, { range: RANGE, first: 17 });
    expect(new Set(seen.map(event => JSON.stringify(event))).size).toBe(seen.length);
    expect(seen).toEqual(inOrder(rows));
  });

  test('are neither repeated nor skipped while others arrive', async () => {
    const tenant = await createTenant();
    const rows = crowd(tenant, 60);
    await insertRows('events_raw', rows);
    let seed = 100;
    const seen = await allPages<ShownEvent>(
      tenant,
      EVENTS,
      { range: RANGE, first: 7 },
      async () => {
        await insertRows('events_raw', crowd(tenant, 10, seed++));
      },
    );
    const keys = seen.map(event => JSON.stringify(event));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual(expect.arrayContaining(inOrder(rows).map(event => JSON.stringify(event))));
    const times = seen.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted().reverse());
  });

  test('are each listed once by their arrival, whatever their own time', async () => {
    const tenant = await createTenant();
    const random = createRandom(2);
    const arrivedAt = Date.parse('2026-10-29T10:00:00.000Z');
    const at = (ms: number) => new Date(ms).toISOString();
    const rows = crowd(tenant, 60).flatMap((row): Row[] => {
      const arrived = { ...row, received_at: at(arrivedAt + random.below(4)) };
      // The same ID and name on another day is another event.
      const timestamp = at(Date.parse(row.timestamp as string) + DAY_MS);
      return [arrived, { ...arrived, timestamp }];
    });
    const one = (timestampMs: number, receivedAtMs: number) =>
      eventRow(tenant, { timestamp: at(timestampMs), received_at: at(receivedAtMs) });
    rows.push(one(arrivedAt - 31 * DAY_MS, arrivedAt), one(arrivedAt + 31 * DAY_MS, arrivedAt));
    const others = [
      one(arrivedAt, arrivedAt - 1),
      one(arrivedAt, arrivedAt + MINUTE_MS),
      one(arrivedAt - 32 * DAY_MS, arrivedAt),
      one(arrivedAt + 32 * DAY_MS, arrivedAt),
    ];
    await insertRows('events_raw', [...rows, ...others]);
    const range = { from: at(arrivedAt), to: at(arrivedAt + MINUTE_MS) };
    const asked = { range, time: 'RECEIVED_AT', first: 17 };
    const seen = await allPages<ShownEvent>(tenant, EVENTS, asked);
    expect(seen).toEqual(inOrder(rows, BY_RECEIVED_AT));
  });

  test.for([
    ['TIMESTAMP', 'RECEIVED_AT'],
    ['RECEIVED_AT', 'TIMESTAMP'],
  ] as const)('by %s have no position by %s', async ([listed, asked]) => {
    const tenant = await createTenant();
    await insertRows('events_raw', crowd(tenant, 2));
    const variables = { range: RANGE, first: 1 };
    const page = await reportOf<Page<ShownEvent>>(api(), tenant, EVENTS, {
      ...variables,
      time: listed,
    });
    const answer = await api().graphql(EVENTS, {
      token: await tokenFor(tenant.organizationId, { roles: ['member'] }),
      variables: { ...variables, time: asked, after: page.pageInfo.endCursor },
    });
    expect(answer.errors?.[0]?.extensions?.reason, answer.text).toBe('INVALID_PAGE');
  });

  test.for([
    ['types', { types: ['SCREEN'] }, (row: Row) => row.type === 'screen'],
    ['names', { names: ['B', 'C'] }, (row: Row) => row.event === 'B'],
    ['userId', { userId: 'user-2' }, (row: Row) => row.user_id === 'user-2'],
    [
      'anonymousId',
      { anonymousId: 'anonymous-1' },
      (row: Row) => row.anonymous_id === 'anonymous-1',
    ],
    ['messageId', { messageId: '5-4-z' }, (row: Row) => row.message_id === '5-4-z'],
    [
      'several',
      { types: ['TRACK'], names: ['A'], userId: 'user-1' },
      (row: Row) => row.type === 'track' && row.event === 'A' && row.user_id === 'user-1',
    ],
  ] as const)('are filtered by %s', async ([, filter, isShown]) => {
    const tenant = await createTenant();
    const rows = crowd(tenant, 60, 5);
    await insertRows('events_raw', rows);
    const seen = await allPages<ShownEvent>(tenant, EVENTS, { range: RANGE, first: 9, ...filter });
    const expected = inOrder(rows.filter(isShown));
    expect(expected.length).toBeGreaterThan(0);
    expect(seen).toEqual(expected);
  });

  test('are returned in full, with the JSON as sent', async () => {
    const tenant = await createTenant();
    const properties =
      '{"total": 49.90, "items":[{"sku":"a\\u00e9"}], "big": 12345678901234567890}';
    const row = eventRow(tenant, {
      message_id: 'whole',
      timestamp: '2026-10-05T10:00:00.123Z',
      received_at: '2026-10-05T10:00:01.500Z',
      user_id: 'user-1',
      properties,
      context: '{"locale":"de-DE"}',
    });
    await insertRows('events_raw', [row]);
    const page = await reportOf<Page<Record<string, unknown>>>(
      api(),
      tenant,
      `query ($range: ReportRange!) { events(range: $range, first: 1) { nodes {
        messageId type event name timestamp sentAt receivedAt correctedAt anonymousId userId
        sessionId properties traits context extra sdkKey { writeKey } } } }`,
      { range: RANGE },
    );
    expect(page.nodes).toEqual([
      {
        messageId: 'whole',
        type: 'TRACK',
        event: 'Order Completed',
        name: null,
        timestamp: '2026-10-05T10:00:00.123Z',
        sentAt: '2026-10-05T10:00:00.123Z',
        receivedAt: '2026-10-05T10:00:01.500Z',
        correctedAt: '2026-10-05T10:00:00.123Z',
        anonymousId: 'anonymous-1',
        userId: 'user-1',
        sessionId: 'session-1',
        properties: JSON.parse(properties),
        traits: null,
        context: { locale: 'de-DE' },
        extra: null,
        sdkKey: { writeKey: tenant.writeKey },
      },
    ]);
  });
});
