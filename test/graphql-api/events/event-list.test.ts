// The list of events neither repeats nor skips a row while more rows arrive.

import { describe, expect, test } from 'vitest';
import { createRandom } from '../../harness/random.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { eventRow, insertRows, type Row, reportOf } from '../harness/report-rows.ts';
import { allPages, FROM_MS, PAGE, type Page, RANGE } from './all-pages.ts';

const api = useSharedApi();

const EVENTS = `query ($range: ReportRange!, $first: Int!, $after: String, $types: [EventType!],
  $names: [String!], $userId: String, $anonymousId: String, $messageId: String) {
  events(range: $range, first: $first, after: $after, types: $types, names: $names,
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
        FROM_MS + random.pick([1, 8, 20, 28, 29]) * 86_400_000 + random.below(4),
      ).toISOString(),
      user_id: `user-${number % 3}`,
      anonymous_id: `anonymous-${pair % 2}`,
      type: number % 5 === 0 ? 'screen' : 'track',
    });
  });
}

/** Sorts newest first, and strings by their bytes. */
function inOrder(rows: readonly Row[]): ShownEvent[] {
  const bytes = (a: unknown, b: unknown) =>
    Buffer.compare(Buffer.from(String(b)), Buffer.from(String(a)));
  return rows
    .toSorted(
      (a, b) =>
        bytes(a.timestamp, b.timestamp) ||
        bytes(a.message_id, b.message_id) ||
        bytes(a.event, b.event),
    )
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
