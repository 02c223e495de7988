// A person's timeline contains each row once, while more rows arrive.

import { describe, expect, test } from 'vitest';
import { createRandom } from '../../harness/random.ts';
import { createTenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import {
  cardRow,
  deliveryRow,
  eventRow,
  inAppRow,
  insertRows,
  type Row,
  responseRow,
  sendRow,
} from '../harness/report-rows.ts';
import { tokenFor } from '../harness/tokens.ts';
import { allPages, FROM_MS, PAGE, RANGE } from './all-pages.ts';

const api = useSharedApi();

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
