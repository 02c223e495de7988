import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPersons } from '../../../schema/campaign/read-person.ts';
import { ownDatabase } from '../../harness/own-database.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';

let client: pg.Client;
let tenant: Tenant;

beforeAll(async () => {
  const { owner } = await ownDatabase();
  tenant = await createTenant({ databaseUrl: owner });
  client = new pg.Client({ connectionString: owner });
  await client.connect();
  const { workspaceId } = tenant;
  const insert = (text: string) => client.query(text, [workspaceId]);
  await insert(
    `INSERT INTO contacts (id, workspace_id, user_id, traits)
     SELECT gen_random_uuid(), $1, 'user-' || number, '{"plan": "pro"}'
     FROM generate_series(1, 20000) AS number`,
  );
  await insert(
    `INSERT INTO consents (contact_id, purpose, workspace_id, status)
     SELECT id, purpose, workspace_id, 'GRANTED' FROM contacts,
       unnest(ARRAY['marketing', 'research']) AS purpose WHERE workspace_id = $1`,
  );
  await insert(
    `INSERT INTO exposures (id, workspace_id, user_id, campaign_id, event_type, occurred_at)
     SELECT gen_random_uuid(), $1, 'user-' || number % 5000, 'campaign-' || number % 17, 'impression',
       now() - make_interval(mins => number)
     FROM generate_series(1, 100000) AS number`,
  );
  await insert(
    `INSERT INTO widget_step_executions (id, workspace_id, user_id, campaign_id, type, state)
     SELECT gen_random_uuid(), $1, 'user-' || number % 20000, gen_random_uuid(), 'banner',
       CASE WHEN number % 3 = 0 THEN 'QUEUED' ELSE 'CLICKED' END
     FROM generate_series(1, 60000) AS number`,
  );
  await insert(
    `INSERT INTO segments (id, workspace_id, name, rule, created_by)
     SELECT ('00000000-0000-4000-8000-00000000000' || number)::uuid, $1, 'Segment', '{}', 'user-1'
     FROM generate_series(1, 3) AS number`,
  );
  // user-2 and user-3 are in the second segment; user-3 is also in the third.
  await insert(
    `INSERT INTO segment_members (workspace_id, user_id, segment_id, created_at)
     SELECT workspace_id, 'user-' || number, id, now()
     FROM segments, generate_series(1, 20000) AS number
     WHERE workspace_id = $1 AND right(id::text, 1)::int BETWEEN 2 AND number % 20000
       AND (number < 4 OR number > 10)`,
  );
});

afterAll(async () => {
  await client.end();
});

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Sort Key'?: string[];
  Plans?: Plan[];
};

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** The query in the body of `read_persons`, with numbers instead of the names of its parameters. */
async function queryOfFunction(): Promise<string> {
  const { rows } = await client.query<{ body: string; names: string[]; types: string[] }>(
    `SELECT prosrc AS body, proargnames AS names, proargtypes::regtype[]::text[] AS types
     FROM pg_proc WHERE proname = 'read_persons'`,
  );
  const { body, names, types } = rows[0]!;
  const query = /RETURN QUERY(.*);\s*END/s.exec(body)![1]!;
  return types.reduce(
    (text, type, i) => text.replaceAll(new RegExp(`\\b${names[i]}\\b`, 'g'), `$${i + 1}::${type}`),
    query,
  );
}

test('a person is read by indexes', async () => {
  await client.query('ANALYZE');
  const explain = `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${await queryOfFunction()}`;
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explain);
  const nodes = nodesOf(rows[0]!['QUERY PLAN'][0].Plan);
  const indexOf = (relation: string) => [
    ...new Set(
      nodes.flatMap(node =>
        node['Relation Name'] === relation ? [`${node['Node Type']}: ${node['Index Name']}`] : [],
      ),
    ),
  ];
  expect(indexOf('exposures')).toEqual([
    expect.stringMatching(/^Index.* Scan: exposures_workspace_id_user_id_campaign_id_/),
  ]);
  expect(indexOf('contacts').toSorted()).toEqual([
    'Index Scan: contacts_pkey',
    expect.stringMatching(/^Index Scan: contacts_workspace_id_user_id_/),
  ]);
  expect(indexOf('segment_members')).toEqual([
    expect.stringMatching(/^Index Only Scan: segment_members_workspace_id_user_id_/),
  ]);
  // With a sort, all of a long history would be read before the limit applies.
  const sorted = nodes.flatMap(node => node['Sort Key'] ?? []).join();
  expect(sorted).not.toContain('exposures');
  for (const relation of ['consents', 'widget_step_executions'])
    for (const scan of indexOf(relation)) expect(scan).toMatch(/^(?:Bitmap Heap|Index) Scan/);
});

const NO_WORKSPACE = '00000000-0000-4000-8000-000000000000';

test('each query of a group gets its own result', async () => {
  const { workspaceId } = tenant;
  const nowMs = Date.now();
  const ask = (contactId: string, userId: string) => ({ workspaceId, contactId, userId, nowMs });
  const answers = await readPersons(client, [
    ask('', 'user-3'),
    ask('', 'nobody'),
    ask('user-4', 'user-3'),
    ask('nobody', 'user-3'),
    ask('', 'user-3'),
    { ...ask('', 'user-3'), workspaceId: NO_WORKSPACE },
  ]);
  expect(answers.map(answer => answer?.person.userId)).toEqual([
    'user-3',
    'nobody',
    'user-4',
    'user-3',
    'user-3',
    undefined,
  ]);
  expect(answers[0]).toEqual(answers[4]);
  expect(answers[0]!.person.traits).toEqual({ plan: 'pro' });
  const segment = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
  expect(answers[0]!.person.segmentIds).toEqual(new Set([segment(2), segment(3)]));
  expect(answers[2]!.person.segmentIds).toEqual(new Set());
  expect(Object.fromEntries(answers[0]!.person.consents)).toEqual({
    marketing: 'GRANTED',
    research: 'GRANTED',
  });
  const shown = [...answers[0]!.person.exposures.values()];
  expect(shown.reduce((sum, { impressions }) => sum + impressions, 0)).toBe(20);
  for (const { recentMs, lastImpressionMs, impressions } of shown) {
    expect(recentMs.length).toBeLessThanOrEqual(impressions);
    if (recentMs.length > 0) expect(lastImpressionMs).toBe(Math.max(...recentMs));
    for (const timeMs of recentMs) expect(nowMs - timeMs).toBeLessThan(31 * 86_400_000);
  }
  expect(answers[0]!.widgets).toHaveLength(1);
  expect(answers[1]).toEqual({
    person: {
      userId: 'nobody',
      traits: {},
      segmentIds: new Set(),
      isSuppressed: false,
      consents: new Map(),
      exposures: new Map(),
      isHistoryCut: false,
    },
    widgets: [],
    caps: { dailyMax: null, intervalSecondsMin: null },
  });
});
