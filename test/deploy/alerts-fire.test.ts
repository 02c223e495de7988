// Prometheus scrapes the programs while something is wrong with them, and the alert fires. The waiting
// times of the rules are removed; whether they are right is tested in alert-rules.test.ts.

import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startApi } from '../graphql-api/harness/api-process.ts';
import { eventText } from '../harness/batch.ts';
import { liveTenant, postEvents } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import { send } from '../harness/http.ts';
import { startIngest } from '../harness/ingest-process.ts';
import { newDirectory } from '../harness/run-directory.ts';
import { startTcpGate } from '../harness/tcp-gate.ts';
import { createTenant, sql } from '../harness/tenant.ts';

const RULES = join(import.meta.dirname, '..', '..', 'deploy', 'prometheus', 'alerts.yml');

test.skipIf(!hasPrometheus())('a fault fires its alert', { timeout: 120_000 }, async () => {
  const { app, system } = inject('databaseUrls');
  const { hostname, port } = new URL(app);
  const gate = await startTcpGate(hostname, Number(port));
  onTestFinished(() => gate.close());
  const through = (url: string) => Object.assign(new URL(url), { port: String(gate.port) }).href;
  const env = { DATABASE_APP_URL: through(app), DATABASE_SYSTEM_URL: through(system) };
  const unreachable = { CLICKHOUSE_URL: 'http://127.0.0.1:1' };
  await leaveForPeople();
  const ingest = await startIngest({ env: { ...env, ...unreachable } });
  onTestFinished(async () => void (await ingest.kill9()));
  const api = await startApi({ env });
  onTestFinished(async () => void (await api.stop()));
  const capped = await liveTenant(ingest, { minuteCap: 1 });
  const firing = await startPrometheus({ ingest: ingest.url, api: api.url });

  const quarantine = join(ingest.dataDirectory, 'ingest', 'spool', 'default', '0', 'quarantine');
  await mkdir(quarantine, { recursive: true });
  await writeFile(join(quarantine, '000000000001.segment'), 'unreadable');
  await eventually(
    async () => {
      // The rule asks for more than one refusal a second over five minutes.
      await Promise.all(
        Array.from({ length: 300 }, () => postEvents(ingest, capped.writeKey, [eventText()])),
      );
      expect(await firing()).toEqual(
        expect.arrayContaining([
          'GatewayEventsParked',
          'InsertsFail',
          'OutboxRefused',
          'Quarantined',
          'SenderThrottled',
          'WebhookEndpointsFail',
        ]),
      );
    },
    { intervalMs: 500 },
  );
  expect(await firing()).not.toContain('ApiWithoutPostgres');
  // The API has had no request yet.
  expect(await firing()).not.toContain('ApiSilent');

  gate.setOpen(false);
  await eventually(async () => {
    expect(await firing()).toEqual(
      expect.arrayContaining(['ApiWithoutPostgres', 'IngestWithoutPostgres']),
    );
  });

  await ingest.kill9();
  await eventually(async () =>
    expect(await firing()).toEqual(expect.arrayContaining(['IngestSilent', 'NodeSilent'])),
  );
});

/** A refused row, a failing endpoint and a parked event, until the end of the test. */
async function leaveForPeople(): Promise<void> {
  const { workspaceId } = await createTenant();
  const id = randomUUID();
  await sql(
    `INSERT INTO ingest_outbox (id, workspace_id, table_name, row, failed_at, failure)
     VALUES ($1, $2, 'deliveries', '{}', now(), 'of the test')`,
    [id, workspaceId],
  );
  await sql(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, state, failing_since, created_by)
     VALUES ($1, $2, 'https://receiver.example/', 'ENABLED', now(), 'test')`,
    [id, workspaceId],
  );
  await sql(
    `INSERT INTO gateway_events (id, account_id, event_key, type, family, version, body,
       verified_field, verified_generation, received_at, state)
     VALUES ($1, $1, 'of the test', 'x', 'x', '', '', 'webhook_secret', 'CURRENT', now(), 'PARKED')`,
    [id],
  );
  onTestFinished(async () => {
    for (const table of ['ingest_outbox', 'webhook_endpoints', 'gateway_events'])
      await sql(`DELETE FROM ${table} WHERE id = $1`, [id]);
  });
}

/** Resolves to a function that returns the names of the firing alerts. */
async function startPrometheus(targets: Readonly<Record<string, string>>) {
  const directory = await newDirectory('prometheus');
  const rules = await readFile(RULES, 'utf8');
  await writeFile(join(directory, 'alerts.yml'), rules.replaceAll(/^ +for: .*\n/gm, ''));
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['alerts.yml'],
    scrape_configs: Object.entries(targets).map(([job_name, url]) => ({
      job_name,
      static_configs: [{ targets: [new URL(url).host] }],
    })),
  };
  // JSON is YAML.
  await writeFile(join(directory, 'prometheus.yml'), JSON.stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  );
  const exited = once(prometheus, 'exit');
  onTestFinished(async () => {
    prometheus.kill();
    await exited;
  });
  return async () => {
    const answer = await send(`http://${address}/api/v1/alerts`, { method: 'GET' });
    const { data } = answer.json() as {
      data: { alerts: { state: string; labels: { alertname: string } }[] };
    };
    return data.alerts
      .filter(({ state }) => state === 'firing')
      .map(({ labels }) => labels.alertname);
  };
}

/** Prometheus cannot report a port that it chose itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function hasPrometheus(): boolean {
  try {
    execFileSync('prometheus', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
