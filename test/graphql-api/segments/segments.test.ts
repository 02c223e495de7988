// Segments over GraphQL and REST, including refusals.

import { beforeAll, describe, expect, test } from 'vitest';
import { createContext } from '../../../graphql-api/platform/context.ts';
import { evaluateSegments } from '../../../graphql-api/segments/evaluate-segments.job.ts';
import { evaluateRule } from '../../../graphql-api/segments/segment.evaluate.ts';
import { EVENT_CONDITIONS_MAX } from '../../../graphql-api/segments/segment-rule.ts';
import { createCampaign, createContact } from '../../harness/campaign.ts';
import { eventually } from '../../harness/eventually.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { rows as rowsOf } from '../../harness/warehouse.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { contextOf, useDeps } from '../harness/deps.ts';
import { ask, mutate, refusals, tryMutation } from '../harness/mutate.ts';
import { eventRow, insertRows } from '../harness/report-rows.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();
const deps = useDeps();

const ORDERED = { event: { name: 'Order' }, within_days: 30 };

let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant();
  const order = (user_id: string, daysAgo: number, total: number) =>
    eventRow(tenant, {
      event: 'Order',
      user_id,
      timestamp: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
      properties: JSON.stringify({ total }),
    });
  await insertRows('events_raw', [
    order('ann', 20, 10),
    order('ann', 10, 60),
    order('ben', 20, 10),
    order('ben', 2, 70),
    order('eve', 100, 70),
    order('', 1, 70),
  ]);
  await createContact(tenant.workspaceId, { userId: 'ann', traits: { plan: 'pro' } });
});

const by = (of = tenant) => ({ api: api(), tenant: of });

async function peopleOf(rule: unknown): Promise<number> {
  const { segmentPreview } = await ask<{ segmentPreview: { people: number; sql: string } }>(
    by(),
    'query ($rule: JSON!) { segmentPreview(rule: $rule) { people sql } }',
    { rule },
  );
  expect(segmentPreview.sql).toMatch(/^SELECT /);
  return segmentPreview.people;
}

async function rest(path: string, body?: object, method = body === undefined ? 'GET' : 'POST') {
  const answer = await api().rest(`/api/v1/segments${path}`, {
    method,
    token: await tokenFor(tenant.organizationId, { roles: ['owner'] }),
    ...(body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  return { status: answer.status, body: answer.json() as Record<string, unknown> };
}

describe('a preview', () => {
  test.each<[string, unknown, number]>([
    ['an event in the last days', ORDERED, 2],
    ['twice', { ...ORDERED, at_least: 2 }, 2],
    ['at most once', { and: [ORDERED, { ...ORDERED, at_most: 1 }] }, 0],
    ['not this week', { and: [ORDERED, { not: { ...ORDERED, within_days: 7 } }] }, 1],
    [
      'with a filter',
      { ...ORDERED, event: { filters: [{ property: { properties: ['total'] }, at_least: 65 }] } },
      1,
    ],
    ['between two times', { event: {}, from: '2020-01-01', to: '2020-12-31T00:00:00Z' }, 0],
    ['a trait', { and: [ORDERED, { trait: 'plan', operator: 'eq', value: 'pro' }] }, 1],
    ['without the trait', { and: [ORDERED, { trait: 'plan', operator: 'ne', value: 'pro' }] }, 1],
  ])('%s', async (_, rule, people) => {
    expect(await peopleOf(rule)).toBe(people);
  });

  test('its statement returns people who match the rest of the rule, with any traits', async () => {
    const rule = { and: [ORDERED, { trait: 'plan', operator: 'eq', value: 'pro' }] };
    const { segmentPreview } = await ask<{ segmentPreview: { sql: string } }>(
      by(),
      'query ($rule: JSON!) { segmentPreview(rule: $rule) { sql } }',
      { rule },
    );
    expect(await rowsOf(segmentPreview.sql)).toMatchObject([{ user_ids: ['ann', 'ben'] }]);
  });

  test('of more people than can be members', async () => {
    const context = contextOf(deps(), tenant);
    await expect(evaluateRule(context, ORDERED, Date.now(), 1)).rejects.toThrow(
      'SEGMENT_TOO_LARGE',
    );
  });

  test('over REST', async () => {
    expect(await rest('/preview', { rule: ORDERED })).toEqual({
      status: 200,
      body: { status: 'SUCCESS', preview: { people: 2, sql: expect.stringMatching(/^SELECT /) } },
    });
  });
});

describe('invalid rules', () => {
  const many = Array.from({ length: EVENT_CONDITIONS_MAX + 1 }, () => ORDERED);
  test.each<[string, unknown, string]>([
    ['nothing', {}, 'must be {"event"'],
    ['no period', { event: {} }, 'rule.within_days: is required'],
    ['two periods', { ...ORDERED, from: '2026-01-01', to: '2026-02-01' }, 'within_days'],
    ['half a period', { event: {}, from: '2026-01-01' }, 'rule.to: must be set together'],
    ['a period of years', { event: {}, from: '2024-01-01', to: '2026-01-01' }, 'at most 366 days'],
    ['a period that ends first', { event: {}, from: '2026-02-01', to: '2026-01-01' }, 'rule.to'],
    ['more than a year', { event: {}, within_days: 367 }, 'rule.within_days'],
    ['at least more than at most', { ...ORDERED, at_least: 2, at_most: 1 }, 'rule.at_least'],
    ['an unknown filter', { ...ORDERED, event: { filters: [{ like: 'a' }] } }, 'rule.event'],
    ['a trait alone', { trait: 'plan', operator: 'eq', value: 'pro' }, 'must require an event'],
    ['only what was not done', { ...ORDERED, at_most: 0 }, 'must require an event'],
    ['not done, another way', { not: ORDERED }, 'must require an event'],
    ['an alternative without an event', { or: [ORDERED, { not: ORDERED }] }, 'require an event'],
    ['too many events', { and: many }, 'conditions on events'],
    ['a segment in a segment', { segment_id: '00000000-0000-4000-8000-000000000001' }, 'must be'],
    ['too many levels', { and: [{ and: [{ and: [{ and: [{ and: [ORDERED] }] }] }] }] }, 'deeper'],
    ['a NUL character', { ...ORDERED, event: { name: '\u0000' } }, ''],
  ])('%s', async (_, rule, text) => {
    const input = { name: 'Nobody', rule };
    const answer = await tryMutation(by(), 'segmentCreate', { input }, 'segment { id }');
    const { userErrors = [] } = (answer.data?.segmentCreate ?? {}) as {
      userErrors?: readonly { message: string }[];
    };
    const messages = [...userErrors, ...(answer.errors ?? [])].map(({ message }) => message);
    expect(messages.join(), answer.text).toContain(text);
    expect(messages).not.toEqual([]);
  });
});

test('a segment is created, evaluated, changed and archived', async () => {
  const made = await rest('', { name: 'Buyers', rule: ORDERED });
  expect(made).toMatchObject({ status: 200, body: { segment: { version: 1, rule: ORDERED } } });
  const { id } = made.body.segment as { id: string };
  const evaluated = (people: number, version: number) =>
    eventually(async () =>
      expect((await rest(`/${id}`)).body.segment).toMatchObject({
        member_count: people,
        evaluated_at: expect.any(String),
        fault: null,
        version,
      }),
    );
  await evaluated(2, 1);
  const members = await rest(`/${id}/members?limit=1`);
  expect(members.body).toMatchObject({ next_cursor: expect.any(String) });
  const next = await rest(`/${id}/members?cursor=${members.body.next_cursor as string}`);
  const userIds = [members, next].flatMap(({ body }) =>
    (body.items as { user_id: string }[]).map(item => item.user_id),
  );
  expect(userIds.toSorted()).toEqual(['ann', 'ben']);

  const stale = await rest(`/${id}`, { version: 7, name: 'Late' }, 'PATCH');
  expect(stale.status).toBe(409);
  await rest(`/${id}`, { version: 1, rule: { ...ORDERED, within_days: 7 } }, 'PATCH');
  await evaluated(1, 2);
  const archived = await rest(`/${id}/archive`, {});
  expect(archived.body.segment).toMatchObject({ archived_at: expect.any(String) });
  await eventually(async () => expect((await rest(`/${id}/members`)).body.items).toEqual([]));
  expect((await rest(`/${id}`, { version: 3, name: 'Late' }, 'PATCH')).status).toBe(409);
});

test('a campaign names segments of its workspace that were evaluated', async () => {
  const of = await createTenant();
  const other = await createTenant();
  const segment = async ({ workspaceId }: Tenant, isEvaluated: boolean) => {
    const [row] = await sql(
      `INSERT INTO segments (id, workspace_id, name, rule, created_by, evaluated_at, attempted_at)
       VALUES (gen_random_uuid(), $1, 'Buyers', $2, 'user-1', CASE WHEN $3 THEN now() END, now())
       RETURNING id`,
      [workspaceId, JSON.stringify(ORDERED), isEvaluated],
    );
    return row!.id as string;
  };
  const draft = (segment_id: string) => ({
    input: { name: 'Notice', type: 'BANNER', content: { title: 'One' }, audience: { segment_id } },
  });
  const foreign = draft(await segment(other, true));
  expect(await refusals(by(of), 'campaignCreate', foreign)).toEqual(['NOT_FOUND input.audience']);
  // As after a change of the rule, before its evaluation.
  const { campaign } = await mutate<{ campaign: { id: string } }>(
    by(of),
    'campaignCreate',
    draft(await segment(of, false)),
    'campaign { id }',
  );
  const launch = { id: campaign.id, input: { version: 1 } };
  expect(await refusals(by(of), 'campaignLaunch', launch)).toEqual(['SEGMENT_NOT_READY id']);
});

test('the regular job evaluates segments in use, and records errors', async () => {
  const of = await createTenant();
  const { workspaceId } = of;
  await insertRows('events_raw', [eventRow(of, { event: 'Order', user_id: 'ann' })]);
  const hourAgo = new Date(Date.now() - 3_600_000);
  const segment = async (rule: object) => {
    const [row] = await sql(
      `INSERT INTO segments (id, workspace_id, name, rule, created_by, evaluated_at, attempted_at)
       VALUES (gen_random_uuid(), $1, 'Buyers', $2, 'user-1', $3, $3) RETURNING id`,
      [workspaceId, JSON.stringify(rule), hourAgo],
    );
    return row!.id as string;
  };
  const keys = Array.from({ length: 11 }, () => 'a');
  const tooDeep = { filters: [{ property: { properties: keys }, exists: true }] };
  const [used, unused, broken] = [
    await segment(ORDERED),
    await segment(ORDERED),
    await segment({ ...ORDERED, event: tooDeep }),
  ];
  for (const segment_id of [used, broken])
    await createCampaign(workspaceId, { audience: { not: { and: [{ segment_id }] } } });
  const context = createContext(deps(), 'test', undefined);
  const data = { dueAt: new Date().toISOString() };
  await evaluateSegments.run(context, data, new AbortController().signal);
  const rows = await sql(
    `SELECT id, member_count, fault, evaluated_at > $2 AS is_evaluated FROM segments
     WHERE workspace_id = $1`,
    [workspaceId, hourAgo],
  );
  const shown = (id: string) => rows.find(row => row.id === id);
  expect(shown(used)).toMatchObject({ member_count: 1, fault: null, is_evaluated: true });
  expect(shown(unused)).toMatchObject({ member_count: 0, fault: null, is_evaluated: false });
  expect(shown(broken)).toMatchObject({ fault: 'BAD_USER_INPUT', is_evaluated: false });
});
