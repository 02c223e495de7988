// Lists with keyset pagination neither repeat nor skip a row while more rows arrive.

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../harness/random.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import {
  cardRow,
  deliveryRow,
  eventRow,
  inAppRow,
  insertRows,
  lastHours,
  type Row,
  rejectedRow,
  reportOf,
  responseRow,
  sendRow,
} from '../harness/report-rows.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();

type Page<T> = {
  readonly nodes: readonly T[];
  readonly edges: readonly { readonly cursor: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly endCursor: string | null;
  };
};

const PAGE = 'edges { cursor } pageInfo { hasNextPage hasPreviousPage endCursor }';
const RANGE = { from: '2026-10-01T00:00:00Z', to: '2026-10-31T00:00:00Z' };
const FROM_MS = Date.parse(RANGE.from);

async function allPages<T>(
  tenant: Tenant,
  document: string,
  variables: Readonly<Record<string, unknown>>,
  between: () => Promise<void> = async () => undefined,
): Promise<T[]> {
  const seen: T[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < 100; pages++) {
    const page: Page<T> = await reportOf(api(), tenant, document, { ...variables, after });
    expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
    expect(page.edges.at(-1)?.cursor ?? null).toBe(page.pageInfo.endCursor);
    expect(page.edges).toHaveLength(page.nodes.length);
    seen.push(...page.nodes);
    if (!page.pageInfo.hasNextPage) return seen;
    after = page.pageInfo.endCursor;
    await between();
  }
  throw new Error('the list has no end');
}

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

const TIMELINE = `query ($range: ReportRange!, $first: Int!, $after: String, $userId: String,
  $anonymousId: String, $kinds: [TimelineKind!]) {
  userTimeline(range: $range, first: $first, after: $after, userId: $userId,
    anonymousId: $anonymousId, kinds: $kinds
  ) { nodes { kind at ... on TimelineEvent { event { messageId } }
    ... on TimelineDelivery { channel status messageId metadata }
    ... on TimelineCard { cardKind details } ... on TimelineInAppEvent { eventType campaignId }
    ... on TimelineInAppResponse { responseType score payload }
    ... on TimelineSend { channel reason version { id } journey { id } } } ${PAGE} }
}`;

type Item = { kind: string; at: string } & Record<string, unknown>;

describe.concurrent('a timeline', () => {
  test('contains all rows of a person and no others, sorted by time', async () => {
    const tenant = await createTenant();
    const at = (hour: number) => `2026-10-29T${String(hour).padStart(2, '0')}:00:00.000Z`;
    const of = (hour: number) => ({ user_id: 'user-1', received_at: at(hour) });
    await insertRows('events_raw', [
      eventRow(tenant, { message_id: 'event', user_id: 'user-1', timestamp: at(1) }),
      eventRow(tenant, { user_id: 'user-2', timestamp: at(1) }),
      eventRow(tenant, { timestamp: at(1) }),
    ]);
    await insertRows('deliveries_raw', [
      deliveryRow(tenant, {
        ...of(2),
        status: 'clicked',
        rank: 3,
        message_id: 'push-1',
        metadata: '{"url":"/x"}',
      }),
      deliveryRow(tenant, { ...of(2), user_id: 'user-2' }),
    ]);
    await insertRows('activity_cards_raw', [
      cardRow(tenant, of(3)),
      cardRow(tenant, { ...of(3), user_id: '' }),
    ]);
    await insertRows('in_app_events_raw', [
      inAppRow(tenant, of(4)),
      inAppRow(tenant, { ...of(4), user_id: 'user-2' }),
    ]);
    await insertRows('in_app_responses_raw', [
      responseRow(tenant, of(5)),
      responseRow(tenant, { ...of(6), user_id: '', contact_id: 'user-1', score_text: '3' }),
      responseRow(tenant, { ...of(6), user_id: 'user-2', contact_id: 'user-1' }),
    ]);
    await insertRows('send_audits_raw', [
      sendRow(tenant, { sent_at: at(7), reason: 'forced' }),
      sendRow(tenant, { sent_at: at(7), user_id: 'user-2' }),
    ]);
    const variables = { range: RANGE, first: 2, userId: 'user-1' };
    const items = await allPages<Item>(tenant, TIMELINE, variables);
    expect(items).toEqual([
      {
        kind: 'SEND',
        at: at(7),
        channel: 'email',
        reason: 'FORCED',
        version: null,
        journey: null,
      },
      { kind: 'IN_APP_RESPONSE', at: at(6), responseType: 'nps', score: 3, payload: { score: 9 } },
      { kind: 'IN_APP_RESPONSE', at: at(5), responseType: 'nps', score: 9, payload: { score: 9 } },
      { kind: 'IN_APP_EVENT', at: at(4), eventType: 'impression', campaignId: 'campaign-1' },
      { kind: 'CARD', at: at(3), cardKind: 'push.clicked', details: { title: 'Hello' } },
      {
        kind: 'DELIVERY',
        at: at(2),
        channel: 'push',
        status: 'clicked',
        messageId: 'push-1',
        metadata: { url: '/x' },
      },
      { kind: 'EVENT', at: at(1), event: { messageId: 'event' } },
    ]);
    const only = (kinds: string[], person: object = { userId: 'user-1' }) =>
      allPages<Item>(tenant, TIMELINE, { range: RANGE, first: 2, kinds, ...person });
    expect(await only(['SEND', 'CARD', 'DELIVERY'])).toEqual([items[0], items[4], items[5]]);
    expect(await only(['EVENT'])).toEqual([items[6]]);
    expect(await only([])).toEqual([]);
    expect(await only(['SEND'], { anonymousId: 'anonymous-1' })).toEqual([]);
  });

  test('contains hundreds of items of the same few milliseconds once each', async () => {
    const tenant = await createTenant();
    const random = createRandom(3);
    const at = () =>
      new Date(FROM_MS + random.pick([2, 21, 29]) * 86_400_000 + random.below(3)).toISOString();
    const person = { anonymous_id: 'somebody' };
    const fill = async (count: number) => {
      const many = (row: (fields: Row) => Row, time: 'timestamp' | 'received_at') =>
        Array.from({ length: count }, () => row({ ...person, [time]: at() }));
      await insertRows(
        'events_raw',
        many(
          fields => eventRow(tenant, { event: random.pick(['A', 'B']), ...fields }),
          'timestamp',
        ),
      );
      await insertRows(
        'deliveries_raw',
        many(fields => deliveryRow(tenant, fields), 'received_at'),
      );
      await insertRows(
        'activity_cards_raw',
        many(fields => cardRow(tenant, fields), 'received_at'),
      );
      await insertRows(
        'in_app_events_raw',
        many(fields => inAppRow(tenant, fields), 'received_at'),
      );
    };
    await fill(30);
    const variables = { range: RANGE, first: 11, anonymousId: 'somebody' };
    const still = await allPages<Item>(tenant, TIMELINE, variables);
    expect(
      Map.groupBy(still, item => item.kind)
        .values()
        .map(items => items.length)
        .toArray(),
    ).toEqual([30, 30, 30, 30]);
    let left = 3;
    const moving = await allPages<Item>(tenant, TIMELINE, variables, async () => {
      if (left-- > 0) await fill(2);
    });
    expect(moving.length).toBeGreaterThanOrEqual(still.length);
    const times = moving.map(item => item.at);
    expect(times).toEqual(times.toSorted().reverse());
    const ids = moving.flatMap(item => (item.kind === 'EVENT' ? [JSON.stringify(item.event)] : []));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.for([{}, { userId: '' }, { userId: 'a', anonymousId: 'b' }])(
    'needs exactly one person: %j',
    async person => {
      const answer = await api().graphql(TIMELINE, {
        token: await tokenFor((await createTenant()).organizationId),
        variables: { range: RANGE, first: 5, ...person },
      });
      expect(answer.errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT');
    },
  );
});

describe.concurrent('rejected events', () => {
  const REJECTED = `query ($range: ReportRange!, $first: Int!, $after: String, $code: String) {
    rejectedEvents(range: $range, first: $first, after: $after, code: $code) {
      nodes { code messageId endpoint batchIndex receivedAt body } ${PAGE} }
  }`;

  test('are listed once each, with their bodies, by code', async () => {
    const tenant = await createTenant();
    const random = createRandom(9);
    const rows = Array.from({ length: 40 }, (_, number) =>
      rejectedRow(tenant, {
        code: random.pick(['MISSING_FIELD', 'INVALID_TIMESTAMP']),
        // The same body sent to two endpoints is two events.
        body: `{"number": ${Math.floor(number / 2)}}`,
        endpoint: number % 2 ? '/v1/batch' : '/v1/in_app/events',
        received_at: new Date(FROM_MS + random.pick([1, 20, 29]) * 86_400_000).toISOString(),
        batch_index: number,
      }),
    );
    // Resent later: still listed once, with the first time.
    const again = rows.map(row => ({ ...row, received_at: '2026-10-30T12:00:00.000Z' }));
    await insertRows('rejected_events_raw', [...rows, ...again]);
    type Shown = { code: string; body: string; receivedAt: string; batchIndex: number };
    const seen = await allPages<Shown>(tenant, REJECTED, { range: RANGE, first: 6 });
    const order = (a: number, b: number) => a - b;
    expect(seen.map(shown => shown.batchIndex).sort(order)).toEqual([...rows.keys()]);
    for (const { batchIndex, body, receivedAt } of seen) {
      expect(body).toBe(rows[batchIndex]!.body);
      expect(receivedAt).toBe(rows[batchIndex]!.received_at);
    }
    const code = 'INVALID_TIMESTAMP';
    const filtered = await allPages<Shown>(tenant, REJECTED, { range: RANGE, first: 6, code });
    expect(filtered).toEqual(seen.filter(shown => shown.code === code));
  });

  test('are counted by code, with samples', async () => {
    const tenant = await createTenant();
    const of = (code: string, hour: number) =>
      rejectedRow(tenant, { code, received_at: `2026-10-10T0${hour}:00:00.000Z`, body: `${hour}` });
    await insertRows('rejected_events_raw', [
      ...[1, 2, 3, 4, 5].map(hour => of('MISSING_FIELD', hour)),
      of('INVALID_TIMESTAMP', 7),
      rejectedRow(tenant, { code: 'MISSING_FIELD', received_at: '2026-09-01T00:00:00Z' }),
    ]);
    const codes = await reportOf(
      api(),
      tenant,
      `query ($range: ReportRange!) { rejectedEventCodes(range: $range) {
        code count firstSeenAt lastSeenAt endpoints samples { receivedAt body } } }`,
      { range: RANGE },
    );
    const sample = (hour: number) => ({
      receivedAt: `2026-10-10T0${hour}:00:00.000Z`,
      body: `${hour}`,
    });
    expect(codes).toEqual([
      {
        code: 'MISSING_FIELD',
        count: 5,
        firstSeenAt: '2026-10-10T01:00:00.000Z',
        lastSeenAt: '2026-10-10T05:00:00.000Z',
        endpoints: ['/v1/batch'],
        samples: [5, 4, 3].map(sample),
      },
      {
        code: 'INVALID_TIMESTAMP',
        count: 1,
        firstSeenAt: '2026-10-10T07:00:00.000Z',
        lastSeenAt: '2026-10-10T07:00:00.000Z',
        endpoints: ['/v1/batch'],
        samples: [sample(7)],
      },
    ]);
  });

  test('are counted by group, and listed by it with their acceptance', async () => {
    const tenant = await createTenant();
    const of = (fields: object, row: object = {}) =>
      rejectedRow(tenant, { body: JSON.stringify({ n: randomUUID(), ...fields }), ...row });
    const library = { name: 'engagement-client', version: '0.1.0' };
    const started = { event: 'Checkout Started', type: 'track', context: { library } };
    const accepted = eventRow(tenant);
    await insertRows('events_raw', [accepted]);
    await insertRows('rejected_events_raw', [
      of(started, { message_id: accepted.message_id }),
      of(started, { message_id: randomUUID() }),
      of(started),
      of({ ...started, context: { library: { name: 'other' } } }),
      of({ type: 'identify' }),
      rejectedRow(tenant, { body: '{"event":"not JSON' }),
      of(started, { code: 'INVALID_TIMESTAMP' }),
    ]);
    const range = lastHours(1);
    type Group = { key: string; code: string; event: string; sdk: string; count: number };
    const groups = await reportOf<Group[]>(
      api(),
      tenant,
      `query ($range: ReportRange!) { rejectedEventGroups(range: $range, code: "MISSING_FIELD") {
        key code event sdk endpoint count sdkKey { name } } }`,
      { range },
    );
    expect(groups.map(({ event, sdk, count }) => [event, sdk, count])).toEqual([
      ['Checkout Started', 'engagement-client 0.1.0', 3],
      [null, null, 1],
      ['Checkout Started', 'other', 1],
      ['identify', null, 1],
    ]);
    const { nodes } = await reportOf<{ nodes: { isAccepted: boolean | null }[] }>(
      api(),
      tenant,
      `query ($range: ReportRange!, $group: String) {
        rejectedEvents(range: $range, first: 9, code: "MISSING_FIELD", group: $group) {
          nodes { isAccepted } } }`,
      { range, group: groups[0]!.key },
    );
    expect(nodes.map(({ isAccepted }) => isAccepted)).toHaveLength(3);
    expect(nodes.map(({ isAccepted }) => isAccepted)).toEqual(
      expect.arrayContaining([true, false, null]),
    );
  });
});
