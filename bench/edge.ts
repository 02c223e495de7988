// Benchmarks of the SDK endpoints except /v1/batch. Each runs at the maximum rate of 32
// connections; the query of active campaigns also at a steady 2,000 requests/s, to measure its
// latency.

import { randomBytes, randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import { v7 as uuidv7 } from 'uuid';
import type { Bench } from './bench.ts';
import type { Row } from './print-table.ts';
import { type Stack, startStack } from './stack.ts';

const CONNECTIONS = 32;
const LIVE_CAMPAIGNS = 200;
const PEOPLE = 5_000;
const ACTIVE_RATE = 2_000;
const WIDGETS = 200_000;

type Scenario = {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly durability: string;
  readonly path: (count: number) => string;
  readonly body?: (count: number) => unknown;
  readonly headers?: (count: number) => Record<string, string>;
  /** Requests per second; undefined for the maximum rate. */
  readonly rate?: number;
};

export const edgeBench: Bench = {
  name: 'edge',
  title:
    'SDK endpoints other than /v1/batch (2 threads of ingest; the load generator is on the same machine)',
  run: async ({ seconds, progress }) => {
    progress('starting Postgres, ClickHouse and ingest');
    const stack = await startStack();
    try {
      progress('creating campaigns, people and widgets');
      const widgets = await seed(stack);
      const rows: Row[] = [];
      for (const scenario of scenarios(stack, widgets)) {
        progress(scenario.name);
        rows.push(await measure(stack, scenario, seconds));
      }
      return rows;
    } finally {
      await stack.stop();
    }
  },
};

async function measure(stack: Stack, scenario: Scenario, seconds: number): Promise<Row> {
  let count = 0;
  const { method, path, body, headers, rate } = scenario;
  const result = await autocannon({
    url: stack.ingestUrl,
    connections: CONNECTIONS,
    duration: seconds,
    ...(rate === undefined ? {} : { overallRate: rate }),
    requests: [
      {
        method,
        setupRequest: request => {
          const number = count++;
          return {
            ...request,
            path: path(number),
            headers: {
              'content-type': 'application/json',
              'x-service-write-key': stack.tenant.writeKey,
              ...headers?.(number),
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body(number)) }),
          };
        },
      },
    ],
  });
  const failed = result.non2xx + result.errors;
  return {
    scenario: scenario.name,
    'requests/s': Math.round(result.requests.average),
    'p50 ms': result.latency.p50,
    'p99 ms': result.latency.p99,
    failed,
    '200 means': scenario.durability,
  };
}

function scenarios({ tenant }: Stack, widgets: readonly string[]): Scenario[] {
  const { propertyId } = tenant;
  const post = { method: 'POST' as const };
  const active = {
    method: 'GET' as const,
    durability: 'read from Postgres',
    path: () => '/v1/in-app/active?current_surface=home',
    headers: (count: number) => ({ 'x-user-id': `user-${count % PEOPLE}` }),
  };
  return [
    {
      ...post,
      name: 'in-app events',
      durability: 'on disk',
      path: () => '/v1/in_app/events',
      body: count => ({
        campaign_id: 'campaign-1',
        event_type: 'impression',
        user_id: `user-${count % PEOPLE}`,
        platform: 'web',
        idempotency_key: randomUUID(),
      }),
    },
    {
      ...post,
      name: 'push engagement',
      durability: 'on disk',
      path: () => '/v1/push/engagement',
      body: count => ({
        event_type: 'push.clicked',
        platform: 'android',
        property_id: propertyId,
        message_id: randomUUID(),
        contact_id: `contact-${count % PEOPLE}`,
        metadata: { action_url: 'app://orders', button_id: 'open' },
      }),
    },
    {
      ...post,
      name: 'in-app responses',
      durability: 'on disk',
      path: () => '/api/v1/in_app/responses',
      body: count => ({
        campaign_id: 'campaign-1',
        response_type: 'nps',
        platform: 'ios',
        user_id: `user-${count}`,
        payload: { score: count % 11, comment: 'as expected' },
      }),
    },
    {
      ...post,
      name: 'devices: register',
      durability: 'committed in Postgres',
      path: () => '/v1/devices/register',
      body: count => ({
        device_token: randomBytes(32).toString('hex'),
        platform: 'ios',
        property_id: propertyId,
        contact_id: `contact-${count % PEOPLE}`,
        app_version: '4.2.0',
      }),
    },
    {
      ...post,
      name: 'devices: deactivate',
      durability: 'committed in Postgres',
      path: () => '/v1/devices/deactivate',
      body: () => ({
        device_token: randomBytes(32).toString('hex'),
        platform: 'ios',
        property_id: propertyId,
        reason: 'apns_inactive',
      }),
    },
    {
      ...post,
      name: 'widgets: ack',
      durability: 'committed in Postgres, and on disk',
      path: count => `/v1/in-app/widgets/${widgets[count % widgets.length]}/ack`,
      body: () => ({ action: 'clicked' }),
    },
    { ...active, name: `active, ${LIVE_CAMPAIGNS} live campaigns` },
    { ...active, name: `the same at ${ACTIVE_RATE}/s`, rate: ACTIVE_RATE },
  ];
}

/** Returns the IDs of widgets to acknowledge. */
async function seed({ sql, tenant }: Stack): Promise<string[]> {
  const { workspaceId } = tenant;
  const surfaces = ['{home}', '{home,bill}', '{storefront_catalog}', '{}'];
  for (let number = 0; number < LIVE_CAMPAIGNS; number++)
    await sql(
      `INSERT INTO campaigns (id, workspace_id, name, type, status, surfaces, content, priority, consent_purpose,
                              audience, total_max, variants)
       VALUES ($1, $2, $3, 'banner', 'LIVE', $4, $5, $6, 'service', $7, 1000, $8)`,
      [
        uuidv7(),
        workspaceId,
        `Campaign ${number}`,
        surfaces[number % surfaces.length],
        JSON.stringify({
          title: `Campaign ${number}`,
          text: 'Two for one until Sunday. '.repeat(8),
        }),
        number % 7,
        number % 2 === 0
          ? null
          : JSON.stringify({ trait: 'level', operator: 'gte', value: number % 10 }),
        number % 3 === 0
          ? JSON.stringify([
              { id: 'a', weight: 1 },
              { id: 'b', weight: 1 },
            ])
          : '[]',
      ],
    );
  await sql(
    `INSERT INTO contacts (id, workspace_id, user_id, traits)
     SELECT gen_random_uuid(), $1, 'user-' || number, jsonb_build_object('level', number % 10, 'plan', 'pro')
     FROM generate_series(0, $2::int - 1) AS number
     ON CONFLICT DO NOTHING`,
    [workspaceId, PEOPLE],
  );
  const rows = await sql(
    `INSERT INTO widget_step_executions (id, workspace_id, user_id, campaign_id, type)
     SELECT gen_random_uuid(), $1, 'widget-user-' || number, gen_random_uuid(), 'banner'
     FROM generate_series(0, $2::int - 1) AS number RETURNING id`,
    [workspaceId, WIDGETS],
  );
  await sql('ANALYZE');
  return rows.map(row => String(row.id));
}
