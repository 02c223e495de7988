// Tenant isolation in the warehouse: each layer on its own, and injection attempts in clients'
// text.

import { beforeAll, describe, expect, test } from 'vitest';
import { ask } from '../../../../graphql-api/platform/warehouse/ask.ts';
import { ALL_TABLES } from '../../../../schema/rows/all-tables.ts';
import { createSibling, createTenant, type Tenant } from '../../../harness/tenant.ts';
import { rows } from '../../../harness/warehouse.ts';
import { useSharedApi } from '../../harness/api-process.ts';
import { contextOf, useDeps } from '../../harness/deps.ts';
import {
  eventRow,
  insertOneOfEach,
  insertRows,
  lastHours,
  reportOf,
} from '../../harness/report-rows.ts';
import { tokenFor } from '../../harness/tokens.ts';

const deps = useDeps();
const api = useSharedApi();

let own: Tenant;
let foreign: Tenant;
let sibling: Tenant;
beforeAll(async () => {
  [own, foreign] = [await createTenant(), await createTenant()];
  sibling = await createSibling(foreign);
  for (const tenant of [own, foreign, sibling]) {
    await insertOneOfEach(tenant);
    await insertRows('events_raw', [eventRow(tenant, LATE)]);
  }
});

const LATE = {
  timestamp: '2024-01-01T00:00:00.000Z',
  received_at: new Date().toISOString(),
  type: 'identify',
  user_id: 'a-user',
  anonymous_id: 'a-device',
};
/** Late events are in one or the other, depending on whether ingest has settled them. */
const LATE_EVENTS = ['events_late', 'events_arriving'];

const TABLES = ALL_TABLES.filter(({ destination }) => destination === 'warehouse').map(t => t.name);
const VIEWS = [
  'events',
  'events_open',
  'events_arriving',
  'events_stitched',
  'identified_devices',
  'event_id_collisions',
  'rejected_events',
  'rejected_events_by_hash',
  'in_app_events',
  'in_app_responses',
  'in_app_campaign_funnel',
  'nps_by_day',
  'deliveries',
  'delivery_links',
  'push_funnel',
  'activity_cards',
  'send_audits',
];

/** Contains the required condition, but is true for every row. */
const WITHOUT_THE_FIRST_WALL = 'WHERE (workspace_id = {workspaceId:UUID}) OR 1 = 1';

describe('the second layer of isolation, with the first one removed', () => {
  test('every view is tested', async () => {
    const found = await rows<{ name: string }>(
      `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'View'`,
    );
    // The days up to which events are settled are the same for all workspaces.
    expect(found.map(({ name }) => name).toSorted()).toEqual(
      [...VIEWS, 'events_settled'].toSorted(),
    );
  });

  test.for([...TABLES, ...VIEWS, 'events_late'])('%s shows the viewer’s rows only', async table => {
    const query = `SELECT DISTINCT workspace_id AS "workspaceId" FROM ${table} ${WITHOUT_THE_FIRST_WALL}`;
    const all = await rows<{ workspaceId: string }>(query, { workspaceId: own.workspaceId });
    const seen = await ask<{ workspaceId: string }>(contextOf(deps(), own), query);
    // There are no collisions in the test data.
    if (table === 'event_id_collisions') expect(seen).toEqual([]);
    else if (LATE_EVENTS.includes(table))
      expect(seen.filter(({ workspaceId }) => workspaceId !== own.workspaceId)).toEqual([]);
    else {
      expect(all.length, 'there are others').toBeGreaterThan(2);
      expect(seen).toEqual([{ workspaceId: own.workspaceId }]);
    }
  });

  test('applies inside joins and subqueries, too', async () => {
    const query = `SELECT count() AS found FROM events AS e CROSS JOIN in_app_events AS i
      ${WITHOUT_THE_FIRST_WALL.replaceAll('workspace_id', 'e.workspace_id').replace('e.workspace_id = {workspaceId:UUID}', `e.workspace_id IN (SELECT workspace_id FROM deliveries WHERE workspace_id = {workspaceId:UUID})`)}`;
    expect(await ask(contextOf(deps(), own), query)).toEqual([{ found: 2 }]);
  });

  test('a statement without a workspace is never executed', async () => {
    const attempt = ask(contextOf(deps(), own), 'SELECT count() FROM events');
    await expect(attempt).rejects.toThrow('must filter by workspace');
  });

  test('a viewer without a workspace causes no query', async () => {
    const { organizationId } = own;
    const context = contextOf(deps(), { organizationId, workspaceId: undefined as never });
    await expect(ask(context, 'SELECT 1')).rejects.toThrow('WORKSPACE_REQUIRED');
  });

  test('a workspace of another organization is not looked up', async () => {
    const { organizationId } = own;
    const context = contextOf(deps(), { organizationId, workspaceId: foreign.workspaceId });
    const query = `SELECT 1 ${WITHOUT_THE_FIRST_WALL.replace(' OR 1 = 1', '')}`;
    await expect(ask(context, query)).rejects.toThrow('WORKSPACE_FORBIDDEN');
  });

  test.for(['INSERT INTO events_raw (workspace_id) SELECT', 'ALTER TABLE events_raw DELETE'])(
    'nothing is changed: %s',
    async statement => {
      const query = `${statement} /* workspace_id = {workspaceId:UUID} */ ${statement.startsWith('ALTER') ? 'WHERE 1' : 'generateUUIDv4()'}`;
      await expect(ask(contextOf(deps(), own), query)).rejects.toThrow(/readonly|Only queries/);
    },
  );
});

describe('the first layer of isolation', () => {
  const ALL = `query ($range: ReportRange!) {
    eventCounts(range: $range, bucket: DAY) { lines { name counts } }
    events(range: $range, first: 10) { nodes { messageId properties sdkKey { id } } }
    arrivals: events(range: $range, time: RECEIVED_AT, first: 10) { nodes { messageId } }
    userTimeline(range: $range, first: 20, userId: "user-1") { nodes { __typename at kind
      ... on TimelineEvent { event { messageId } } ... on TimelineDelivery { messageId }
      ... on TimelineCard { messageId } ... on TimelineInAppEvent { variantId }
      ... on TimelineInAppResponse { variantId payload score }
      ... on TimelineSend { reason version { id } journey { id } } } }
    rejectedEventCodes(range: $range) { code samples { message body } }
    rejectedEvents(range: $range, first: 10) { nodes { code body } }
    rejectedEventGroups(range: $range) { code count }
    ingestHealth(range: $range, bucket: DAY) { accepted rejected newestReceivedAt caps { keys { sdkKey { id } } } }
    campaignFunnel(range: $range, campaignId: "campaign-1") { variantId impressions }
    npsByDay(range: $range, campaignId: "campaign-1") { responses }
    campaignAnswers(range: $range, campaignId: "campaign-1") { responseCount answers { answer } }
    campaignResponses(range: $range, campaignId: "campaign-1", first: 10) { nodes { variantId } }
    pushFunnel(range: $range) { platform reached }
    sends(range: $range, first: 10) { nodes { nodeId reason version { id } } }
  }`;

  test('all reports in one request return only the viewer’s rows, once', async () => {
    const answer = await api().graphql(ALL, {
      token: await tokenFor(own.organizationId, { roles: ['member'] }),
      variables: { range: lastHours(24) },
    });
    expect(answer.errors, answer.text).toBeUndefined();
    for (const other of [foreign, sibling]) expect(answer.text).not.toContain(other.workspaceId);
    const { data } = answer as unknown as { data: Record<string, { nodes: object[] }> };
    expect(data.events!.nodes).toHaveLength(1);
    expect(data.arrivals!.nodes).toEqual([{ messageId: own.workspaceId }]);
    expect(
      data.userTimeline!.nodes.map(node => (node as { kind: string }).kind).toSorted(),
    ).toEqual(['CARD', 'DELIVERY', 'EVENT', 'IN_APP_EVENT', 'IN_APP_RESPONSE', 'SEND']);
    expect(data.rejectedEvents!.nodes).toEqual([
      { code: `OF_${own.workspaceId}`, body: `{"of":"${own.workspaceId}"}` },
    ]);
    expect(data.rejectedEventGroups).toEqual([{ code: `OF_${own.workspaceId}`, count: 1 }]);
    expect(data.sends).toEqual({
      nodes: [{ nodeId: own.workspaceId, reason: 'PIN', version: null }],
    });
    expect(data.pushFunnel).toEqual([{ platform: 'web', reached: 1 }]);
    expect(data.npsByDay).toEqual([{ responses: 1 }]);
    expect(data.campaignAnswers).toEqual([{ responseCount: 1, answers: [{ answer: '9' }] }]);
    expect(data.campaignResponses).toEqual({ nodes: [{ variantId: own.workspaceId }] });
    expect(data.campaignFunnel).toEqual([{ variantId: own.workspaceId, impressions: 1 }]);
  });

  test('each request sees only the workspace that it names', async () => {
    for (const tenant of [foreign, sibling]) {
      const answer = await api().graphql(ALL, {
        token: await tokenFor(tenant.organizationId, { workspaceId: tenant.workspaceId }),
        variables: { range: lastHours(24) },
      });
      const other = tenant === foreign ? sibling : foreign;
      expect(answer.text).toContain(tenant.workspaceId);
      expect(answer.text).not.toContain(other.workspaceId);
    }
  });

  const INJECTIONS = [
    "' OR 1=1 --",
    "\\' OR 1=1 --",
    "user-1' UNION ALL SELECT * FROM events_raw --",
    '{workspaceId:UUID}',
    "') SETTINGS additional_table_filters = {} --",
    'a\nb\tc\\',
    "[']]",
    '\u{1F600}`"',
    '%27%20OR%201%3D1',
  ];

  test.for(INJECTIONS)('%j is treated as text', async text => {
    const document = `query ($range: ReportRange!, $text: String!, $texts: [String!]!) {
      eventCounts(range: $range, bucket: DAY, names: $texts) { lines { total } }
      a: events(range: $range, first: 9, names: $texts) { nodes { messageId } }
      b: events(range: $range, first: 9, userId: $text) { nodes { messageId } }
      c: events(range: $range, first: 9, anonymousId: $text) { nodes { messageId } }
      d: events(range: $range, time: RECEIVED_AT, first: 9, messageId: $text) { nodes { messageId } }
      e: userTimeline(range: $range, first: 9, userId: $text) { nodes { kind } }
      f: userTimeline(range: $range, first: 9, anonymousId: $text) { nodes { kind } }
      g: rejectedEvents(range: $range, first: 9, code: $text, group: $text) { nodes { code } }
      groups: rejectedEventGroups(range: $range, code: $text) { code }
      h: campaignFunnel(range: $range, campaignId: $text) { day }
      i: npsByDay(range: $range, campaignId: $text) { day }
      j: pushFunnel(range: $range, campaignId: $text) { day }
      k: campaignAnswers(range: $range, campaignId: $text) { question }
      l: campaignResponses(range: $range, campaignId: $text, first: 9) { nodes { payload } }
      trends(
        range: $range, bucket: DAY, breakdowns: [{ properties: $texts }]
        series: [{ event: { name: $text, filters: [{ property: { context: [$text] }, equals: $text, in: $texts }] } }]
      ) { lines { total } }
      funnel(range: $range, windowSeconds: 60, steps: [{ name: $text }, { name: $text }]) {
        lines { steps { people } }
      }
    }`;
    const token = await tokenFor(own.organizationId);
    const variables = { range: lastHours(24), text, texts: [text, "', '"] };
    const answer = await api().graphql(document, { token, variables });
    expect(answer.errors, answer.text).toBeUndefined();
    const data = answer.data as Record<string, { nodes: unknown[] }>;
    const { eventCounts, groups, h, i, j, k, trends, funnel, ...lists } = data;
    expect(trends).toEqual({ lines: [] });
    expect(funnel).toEqual({ lines: [{ steps: [{ people: 0 }, { people: 0 }] }] });
    expect(eventCounts).toEqual({ lines: [] });
    for (const list of Object.values(lists)) expect(list.nodes).toEqual([]);
    expect([groups, h, i, j, k]).toEqual([[], [], [], [], []]);
  });

  test('only cursors of earlier pages are accepted', async () => {
    const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const after of [
      'x',
      forged([1]),
      forged(['1) OR 1=1', 'a', 'b']),
      forged([1, 2, 3]),
      forged([1.5, 'a', 'b']),
      forged({ atMs: 1 }),
    ]) {
      const answer = await api().graphql(
        `query ($range: ReportRange!, $after: String) {
          events(range: $range, first: 5, after: $after) { nodes { messageId } } }`,
        { token: await tokenFor(own.organizationId), variables: { range: lastHours(24), after } },
      );
      expect(answer.errors?.[0]?.extensions?.reason, after).toBe('INVALID_PAGE');
    }
    // A well-formed forged cursor returns only the viewer's rows.
    const after = forged([Date.now() + 3_600_000 * 5, "zz' OR 1=1", 'zz']);
    const page = await reportOf<{ nodes: object[] }>(
      api(),
      own,
      `query ($range: ReportRange!, $after: String) {
        events(range: $range, first: 5, after: $after) { nodes { messageId } } }`,
      { range: lastHours(24), after },
    );
    expect(page.nodes).toEqual([{ messageId: own.workspaceId }]);
  });
});
