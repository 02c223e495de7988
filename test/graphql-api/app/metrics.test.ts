// The metrics of the API: what waits, who is throttled, and why it is slow.

import { randomUUID } from 'node:crypto';
import { expect, inject, onTestFinished, test } from 'vitest';
import { originOf } from '../../../graphql-api/platform/jobs/request-job.ts';
import { eventually } from '../../harness/eventually.ts';
import { startTcpGate } from '../../harness/tcp-gate.ts';
import { createTenant, sql } from '../../harness/tenant.ts';
import { startApi, useApi } from '../harness/api-process.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useApi({ env: { RATE_POINTS_PER_SECOND: '1' } });

/** The value of a series; undefined if it does not exist. */
async function seriesOf(series: string, from = api()): Promise<number | undefined> {
  const { text } = await from.rest('/metrics');
  const line = text.split('\n').find(one => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

test('backlogs and job queues are measured, also while they are empty', async () => {
  await eventually(async () => {
    for (const backlog of ['outbox_rows', 'dead_letters', 'parked_gateway_events'])
      expect(await seriesOf(`api_backlog_items{backlog="${backlog}"}`)).toBeGreaterThanOrEqual(0);
    expect(
      await seriesOf('api_job_queue_waiting{queue="evaluate-segment"}'),
    ).toBeGreaterThanOrEqual(0);
  });
  expect(await seriesOf('api_postgres_reachable')).toBe(1);
});

test('Postgres: the pool, the wait for a connection, statements', async () => {
  const token = await tokenFor((await createTenant()).organizationId);
  await api().graphql('{ organization { id } }', { token });
  const max = 'api_postgres_pool_connections{role="service_app",state="max"}';
  expect(await seriesOf(max)).toBeGreaterThan(0);
  for (const name of ['api_postgres_pool_wait_seconds', 'api_postgres_statement_seconds'])
    expect(await seriesOf(`${name}_count{role="service_app"}`)).toBeGreaterThan(0);
});

test('an operation is measured by name only if the console has it', async () => {
  const token = await tokenFor((await createTenant()).organizationId);
  for (let i = 0; i < 5; i++)
    await api().graphql(`query Made${i} { organization { id } }`, { token });
  expect(await seriesOf('api_graphql_seconds_count{operation="other"}')).toBeGreaterThanOrEqual(5);
  expect((await api().rest('/metrics')).text).not.toContain('Made');
});

test('a throttled organization is named by its ID', async () => {
  const { organizationId } = await createTenant();
  const token = await tokenFor(organizationId);
  const statuses: number[] = [];
  for (let i = 0; i < 15; i++)
    statuses.push((await api().rest('/api/v1/sdk-keys', { token })).status);
  const refused = statuses.filter(status => status === 429).length;
  expect(refused).toBeGreaterThan(0);
  const series = `api_throttled_organization_requests_total{organization_id="${organizationId}"}`;
  expect(await seriesOf(series)).toBe(refused);
});

test('without Postgres: 503 with Retry-After, one line a second, and it recovers', async () => {
  const { app, system } = inject('databaseUrls');
  const { hostname, port } = new URL(app);
  const gate = await startTcpGate(hostname, Number(port));
  onTestFinished(() => gate.close());
  const through = (url: string) => Object.assign(new URL(url), { port: String(gate.port) }).href;
  const process = await startApi({
    areRefusalsRepeated: false,
    env: { DATABASE_APP_URL: through(app), DATABASE_SYSTEM_URL: through(system) },
  });
  onTestFinished(async () => void (await process.stop()));
  const token = await tokenFor((await createTenant()).organizationId);
  await process.graphql('{ organization { id } }', { token });

  gate.setOpen(false);
  const startedAtMs = performance.now();
  const rename = 'mutation { sdkKeyCreate(input: { name: "x" }) { userErrors { code } } }';
  for (let i = 0; i < 10; i++) {
    for (const document of ['{ organization { id } }', rename]) {
      const answer = await process.graphql(document, { token });
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
      expect(answer.errors?.[0]?.extensions).toMatchObject({ reason: 'UNAVAILABLE' });
    }
    const answer = await process.rest('/api/v1/workspaces/current', { token });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
  }
  const seconds = Math.ceil((performance.now() - startedAtMs) / 1000);
  const lines = process.logLines().filter(({ msg }) => String(msg).startsWith('request failed'));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThanOrEqual(seconds + 1);
  await eventually(async () => expect(await seriesOf('api_postgres_reachable', process)).toBe(0));

  gate.setOpen(true);
  await eventually(async () => {
    expect((await process.graphql('{ organization { id } }', { token })).status).toBe(200);
  });
});

test('a request ID is in the log, and stays with the job that the request asks for', async () => {
  const { organizationId } = await createTenant();
  const token = await tokenFor(organizationId, { roles: ['owner'] });
  const requestId = `segment-${randomUUID()}`;
  const created = await api().graphql(
    'mutation($input: SegmentCreateInput!) { segmentCreate(input: $input) { userErrors { code } } }',
    { token, headers: { 'x-request-id': requestId }, variables: { input: SEGMENT } },
  );
  expect(created.headers['x-request-id']).toBe(requestId);
  expect(created.data, created.text).toEqual({ segmentCreate: { userErrors: [] } });
  // Any API process of the run may take the job, so its log is not checked.
  await eventually(async () => {
    const jobs = await sql(`SELECT data FROM pgboss.job WHERE data ->> '_requestId' = $1`, [
      requestId,
    ]);
    expect(jobs).toHaveLength(1);
    expect(originOf(jobs[0]!.data)).toEqual({
      data: { segmentId: expect.any(String) },
      requestId,
    });
  });
  const lines = api()
    .logLines()
    .filter(line => line.requestId === requestId);
  expect(lines.map(({ msg }) => msg)).toContain('request');
});

const SEGMENT = {
  name: 'Buyers',
  rule: { event: { name: 'order_completed' }, at_least: 1, within_days: 30 },
};
