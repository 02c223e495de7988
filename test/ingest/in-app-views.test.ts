// The views for product managers. Their results are compared with an independent computation, on
// rows of several days, workspaces and variants, each stored in several copies.

import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { createRandom } from '../harness/random.ts';
import { rows, warehouse } from '../harness/warehouse.ts';

const DAYS = ['2026-03-01', '2026-03-02', '2026-03-05'];
const NOBODY = '00000000-0000-0000-0000-000000000000';

type Stored = Record<string, string | number>;

async function insert(table: string, values: readonly Stored[]): Promise<void> {
  const batch_id = uuidv7();
  const tenant = { property_id: NOBODY, sdk_key_id: NOBODY };
  await warehouse().insert({
    table,
    values: values.map((row, batch_row) => ({ ...tenant, batch_id, batch_row, ...row })),
    format: 'JSONEachRow',
  });
}

/** Returns all rows, and for some of them a later copy, like a retry after midnight. */
function withCopies(stored: readonly Stored[]): Stored[] {
  const late = stored.filter((_, i) => i % 3 === 0);
  return [...stored, ...late.map(row => ({ ...row, received_at: '2026-03-07 00:00:01.000' }))];
}

function without(row: Stored, columns: readonly string[]): Stored {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name)));
}

function groupBy(stored: readonly Stored[], columns: readonly string[]): Map<string, Stored[]> {
  return Map.groupBy(stored, row => columns.map(column => row[column]).join('|')) as Map<
    string,
    Stored[]
  >;
}

function at(day: string, second: number): string {
  return `${day} 00:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}.000`;
}

const round = (value: number, digits: number) => Number(value.toFixed(digits));

test('in_app_campaign_funnel: by campaign, variant and day', async () => {
  const random = createRandom(7);
  const workspaceId = uuidv7();
  const stored: (Stored & { day: string })[] = Array.from({ length: 400 }, (_, i) => {
    const person = random.below(25);
    const isKnown = person % 3 > 0;
    const day = random.pick(DAYS);
    return {
      workspace_id: workspaceId,
      campaign_id: random.pick(['spring', 'summer']),
      variant_id: random.pick(['', 'A', 'B']),
      event_type: random.pick(['impression', 'impression', 'impression', 'clicked', 'dismissed']),
      event_key: `key-${i}`,
      // A user ID and an anonymous ID with the same text are two people.
      user_id: isKnown ? `person-${person % 10}` : '',
      anonymous_id: isKnown ? `device-${i}` : `person-${person % 10}`,
      received_at: at(day, i),
      day,
    };
  });
  // A campaign without impressions has no rate.
  const unseen = { ...stored[0]!, campaign_id: 'unseen', event_type: 'clicked', event_key: 'x' };
  const ours = [...stored, unseen];
  const raw = ours.map(row => without(row, ['day']));
  const others = raw.map(row => ({ ...row, workspace_id: uuidv7() }));
  await insert('in_app_events_raw', [...withCopies(raw), ...others.slice(0, 50)]);

  const expected = [...groupBy(ours, ['campaign_id', 'variant_id', 'day'])].map(([, group]) => {
    const of = (type: string) => group.filter(row => row.event_type === type);
    const people = (type: string) =>
      new Set(of(type).map(row => (row.user_id === '' ? `a ${row.anonymous_id}` : row.user_id)));
    const [impressions, clicks] = [of('impression').length, of('clicked').length];
    const { campaign_id, variant_id, day } = group[0]!;
    return {
      campaign_id,
      variant_id,
      day,
      impressions,
      clicks,
      dismissals: of('dismissed').length,
      people_reached: people('impression').size,
      people_clicked: people('clicked').size,
      click_rate: impressions === 0 ? null : round(clicks / impressions, 4),
    };
  });
  const found = await rows<Record<string, unknown>>(
    `SELECT * EXCEPT workspace_id FROM in_app_campaign_funnel
     WHERE workspace_id = {workspaceId:UUID}`,
    { workspaceId },
  );
  expect(found.map(asNumbers)).toHaveLength(expected.length);
  expect(found.map(asNumbers)).toEqual(expect.arrayContaining(expected));
});

test('nps_by_day: promoters, passives and detractors by campaign and day', async () => {
  const random = createRandom(11);
  const workspaceId = uuidv7();
  const stored: (Stored & { day: string; score: number })[] = Array.from(
    { length: 150 },
    (_, i) => {
      const day = random.pick(DAYS);
      const score = i % 10 === 0 ? random.pick([6.5, 6.99, 7.5, 8.99]) : random.below(11);
      return {
        workspace_id: workspaceId,
        campaign_id: random.pick(['onboarding', 'checkout']),
        response_type: 'nps',
        response_key: `key-${i}`,
        platform: 'web',
        user_id: `user-${random.below(20)}`,
        payload: `{"score":${score}}`,
        score_text: String(score),
        received_at: at(day, i),
        day,
        score,
      };
    },
  );
  const grumpy = [0, 3, 9].map((score, i) => ({
    ...stored[0]!,
    campaign_id: 'grumpy',
    response_key: `grumpy-${i}`,
    score_text: String(score),
    score,
  }));
  const ours = [...stored, ...grumpy];
  const raw = ours.map(row => without(row, ['day', 'score']));
  const others = [
    ...raw.map(row => ({ ...row, workspace_id: uuidv7() })).slice(0, 20),
    ...raw.map(row => ({ ...row, response_type: 'rating' })).slice(0, 20),
  ];
  await insert('in_app_responses_raw', [...withCopies(raw), ...others]);

  const expected = [...groupBy(ours, ['campaign_id', 'day'])].map(([, group]) => {
    const scores = group.map(row => Number(row.score));
    const promoters = scores.filter(score => score >= 9).length;
    const detractors = scores.filter(score => score < 7).length;
    return {
      campaign_id: group[0]!.campaign_id,
      day: group[0]!.day,
      responses: scores.length,
      promoters,
      passives: scores.length - promoters - detractors,
      detractors,
      average_score: expect.closeTo(scores.reduce((sum, score) => sum + score) / scores.length, 1),
      nps: expect.closeTo((100 * (promoters - detractors)) / scores.length, 0),
    };
  });
  const found = await rows<Record<string, unknown>>(
    `SELECT * EXCEPT workspace_id FROM nps_by_day WHERE workspace_id = {workspaceId:UUID}`,
    { workspaceId },
  );
  expect(found.map(asNumbers)).toHaveLength(expected.length);
  expect(found.map(asNumbers)).toEqual(expect.arrayContaining(expected));
  expect(found.find(row => row.campaign_id === 'grumpy')).toMatchObject({ nps: -33.3 });
});

/** 64-bit counts may be returned as strings. */
function asNumbers(row: Record<string, unknown>): Record<string, unknown> {
  const isCount = (value: unknown) => typeof value === 'string' && /^\d+$/.test(value);
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isCount(value) ? Number(value) : value]),
  );
}
