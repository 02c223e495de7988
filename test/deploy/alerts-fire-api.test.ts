// Each alert about the API fires for a fault that a real Prometheus sees, and no alert fires before the faults.

import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { DEAD_LETTERS } from '../../graphql-api/platform/jobs/job-queue.ts';
import { type ApiProcess, startApi } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { OPEN_FILES_VARIABLE } from '../harness/few-open-files.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { startTcpGate } from '../harness/tcp-gate.ts';
import { createTenant, sql } from '../harness/tenant.ts';
import { hasPrometheus, watchAlerts } from './harness/prometheus.ts';

/** Leaves eight for connections of clients. */
const OPEN_FILES_MAX = 508;

test.skipIf(!hasPrometheus())('each alert fires for its fault', async () => {
  const { owner, app, system } = await ownDatabase();
  const { hostname, port } = new URL(app);
  const gate = await startTcpGate(hostname, Number(port));
  onTestFinished(() => gate.close());
  const through = (url: string) => Object.assign(new URL(url), { port: String(gate.port) }).href;
  await holdEvents(owner);
  const preload = new URL('../harness/few-open-files.ts', import.meta.url).href;
  const api = await startApi({
    areRefusalsRepeated: false,
    env: {
      DATABASE_APP_URL: through(app),
      DATABASE_SYSTEM_URL: through(system),
      // The jobs use up to four at once when they start.
      DATABASE_POOL_MAX: '4',
      RATE_POINTS_PER_SECOND: '1',
      INGEST_URL: 'http://127.0.0.1:1',
      NODE_OPTIONS: `--import=${preload}`,
      [OPEN_FILES_VARIABLE]: String(OPEN_FILES_MAX),
    },
  });
  onTestFinished(async () => void (await api.stop()));
  const alerts = await watchAlerts('api', api.url);
  const ask = async () => {
    const { organizationId } = await createTenant({ databaseUrl: owner });
    const token = await tokenFor(organizationId);
    return () => api.graphql('{ organization { id name } }', { token });
  };
  expect((await (await ask())()).status).toBe(200);
  const held = ['GatewayEventsLate', 'WebhookEventsLate'];
  await alerts.fireFor(held, async () => undefined);
  expect(await alerts.fired()).toEqual(held);

  await alerts.fireFor(
    ['GatewayEventsParked', 'JobsDead', 'OutboxLate', 'OutboxRefused', 'WebhookEndpointsFail'],
    once(() => leaveForPeople(owner)),
  );
  await alerts.fireFor(
    ['JobsLate'],
    once(() => holdJob(owner)),
  );
  const greedy = await ask();
  await alerts.fireFor(['OrganizationThrottled'], async () => {
    for (let count = 0; count < 100; count++) await greedy();
  });
  await alerts.fireFor(['ApiConnectionsRefused'], () => crowd(api));
  const waiting: Promise<unknown>[] = [];
  gate.setHanging(true);
  await alerts.fireFor(['PostgresPoolExhausted'], async () => {
    waiting.push((await ask())());
  });
  gate.setHanging(false);
  await Promise.all(waiting);
  gate.setOpen(false);
  await alerts.fireFor(['ApiFails', 'ApiWithoutPostgres'], await ask());
  await api.stop();
  await alerts.fireFor(['ApiSilent', 'NodeSilent'], async () => undefined);
  expect(await alerts.fired()).toEqual(alerts.names);
});

/** Does it at the first call only. */
function once(fault: () => Promise<unknown>): () => Promise<unknown> {
  let done: Promise<unknown> | undefined;
  return () => (done ??= fault());
}

/** What does not go away by itself. */
async function leaveForPeople(owner: string): Promise<void> {
  const { workspaceId } = await createTenant({ databaseUrl: owner });
  const id = randomUUID();
  const insert = (text: string, values: readonly unknown[]) => sql(text, [...values], owner);
  await insert(
    `INSERT INTO ingest_outbox (id, workspace_id, table_name, row, created_at, failed_at, failure)
     VALUES ($1, $2, 'deliveries_raw', '{}', now() - interval '1 hour', now(), 'of the test'),
            (gen_random_uuid(), $2, 'deliveries_raw', '{}', now() - interval '1 hour', NULL, NULL)`,
    [id, workspaceId],
  );
  await insert(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, state, failing_since, created_by)
     VALUES ($1, $2, 'https://receiver.example/', 'ENABLED', now(), 'test')`,
    [id, workspaceId],
  );
  await insert(
    `INSERT INTO gateway_events (id, account_id, event_key, type, family, version, body,
       verified_field, verified_generation, received_at, state)
     VALUES ($1, $1, 'parked', 'x', 'x', '', '', 'webhook_secret', 'CURRENT', now(), 'PARKED')`,
    [id],
  );
  await insert('INSERT INTO pgboss.job (name, data) VALUES ($1, $2)', [DEAD_LETTERS, '{}']);
}

/** A process that has hung holds events until the end of the test. */
async function holdEvents(owner: string): Promise<void> {
  const { workspaceId } = await createTenant({ databaseUrl: owner });
  const id = randomUUID();
  const hung = await connectHung(owner);
  await hung.query(
    `INSERT INTO gateway_events (id, account_id, event_key, type, family, version, body,
       verified_field, verified_generation, received_at, next_attempt_at)
     VALUES ($1, $1, 'held', 'x', 'x', '', '', 'webhook_secret', 'CURRENT',
             now() - interval '1 hour', now())`,
    [id],
  );
  await hung.query(
    `INSERT INTO outbound_events (id, workspace_id, type, payload, occurred_at, created_at)
     VALUES ($1, $2, 'order.paid', '{}', now(), now() - interval '1 hour')`,
    [id, workspaceId],
  );
  await hung.query('BEGIN');
  for (const table of ['gateway_events', 'outbound_events'])
    await hung.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);
}

/** Likewise a job. It is not due at first, so that no other worker takes it. */
async function holdJob(owner: string): Promise<void> {
  const hung = await connectHung(owner);
  const { rows } = await hung.query(
    `INSERT INTO pgboss.job (name, data, start_after)
     VALUES ('evaluate-segment', '{}', now() + interval '2 seconds') RETURNING id`,
  );
  await hung.query('BEGIN');
  await hung.query('SELECT FROM pgboss.job WHERE id = $1 FOR UPDATE', [rows[0].id]);
}

async function connectHung(connectionString: string): Promise<pg.Client> {
  const hung = new pg.Client({ connectionString });
  await hung.connect();
  onTestFinished(() => hung.end());
  return hung;
}

/** More connections than the API has files for. */
async function crowd({ url }: ApiProcess): Promise<void> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: 20 }, () =>
    connect(Number(port), hostname).on('error', () => undefined),
  );
  await Promise.all(sockets.map(socket => new Promise(resolve => socket.once('connect', resolve))));
  for (const socket of sockets) socket.destroy();
}
