// Rejected events, listed and counted by code and by group.

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../harness/random.ts';
import { createTenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { eventRow, insertRows, lastHours, rejectedRow, reportOf } from '../harness/report-rows.ts';
import { allPages, FROM_MS, PAGE, RANGE } from './all-pages.ts';

const api = useSharedApi();

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
    const of = (code: string, hour: number) => {
      const message = hour < 4 ? 'sessionId is missing or empty.' : `${hour}`;
      const received_at = `2026-10-10T0${hour}:00:00.000Z`;
      return rejectedRow(tenant, { code, message, received_at, body: `${hour}` });
    };
    await insertRows('rejected_events_raw', [
      ...[1, 2, 3, 4, 5].map(hour => of('MISSING_FIELD', hour)),
      of('INVALID_TIMESTAMP', 7),
      rejectedRow(tenant, { code: 'MISSING_FIELD', received_at: '2026-09-01T00:00:00Z' }),
    ]);
    const codes = await reportOf(
      api(),
      tenant,
      `query ($range: ReportRange!) { rejectedEventCodes(range: $range) {
        code count firstSeenAt lastSeenAt endpoints messages samples { receivedAt body } } }`,
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
        messages: ['sessionId is missing or empty.', expect.any(String), expect.any(String)],
        samples: [5, 4, 3].map(sample),
      },
      {
        code: 'INVALID_TIMESTAMP',
        count: 1,
        firstSeenAt: '2026-10-10T07:00:00.000Z',
        lastSeenAt: '2026-10-10T07:00:00.000Z',
        endpoints: ['/v1/batch'],
        messages: ['7'],
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
      of({ ...started, context: { library: { name: 'other' } } }, { message: 'event is missing.' }),
      of({ type: 'identify' }),
      rejectedRow(tenant, { body: '{"event":"not JSON' }),
      of(started, { code: 'INVALID_TIMESTAMP' }),
    ]);
    const range = lastHours(1);
    type Group = { key: string; messages: string[]; event: string; sdk: string; count: number };
    const groups = await reportOf<Group[]>(
      api(),
      tenant,
      `query ($range: ReportRange!) { rejectedEventGroups(range: $range, code: "MISSING_FIELD") {
        key code event sdk endpoint count messages sdkKey { name } } }`,
      { range },
    );
    expect(groups.map(({ event, sdk, count }) => [event, sdk, count])).toEqual([
      ['Checkout Started', 'engagement-client 0.1.0', 3],
      [null, null, 1],
      ['Checkout Started', 'other', 1],
      ['identify', null, 1],
    ]);
    const other = groups.find(({ sdk }) => sdk === 'other');
    expect(other!.messages).toEqual(['event is missing.']);
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
