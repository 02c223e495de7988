// Outbound webhooks, from the rows of their events to a receiver on the same machine: as many as can
// be, and how long one takes at a steady rate, with and without an endpoint that never answers.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { createDemoTenant } from '../../embedded/demo-tenant.ts';
import { API_NODE_ARGS } from '../../embedded/parts.ts';
import { newWebhookSecret, webhookSecretPlace } from '../../schema/rules/webhooks/signature.ts';
import { parseEncryptionKeys } from '../../schema/values/encryption-keys.ts';
import { createSecrets } from '../../schema/values/sealing.ts';
import type { Bench } from './bench.ts';
import { type Measured, quantileMs, rateOf } from './measured.ts';
import { onlyPostgres } from './only-postgres.ts';
import type { Row } from './print-table.ts';
import type { ReceiverReport } from './webhook-receiver.ts';

const KEYS = `bench:${Buffer.alloc(32, 1).toString('base64')}`;
const SECRET = 'of-a-bench-for-as-long-as-it-runs';
/** What is promised on two cores, Postgres and the receiver beside it. */
const RATE = 300;
const ENDPOINTS = 10;
const WARM_UP_EVENTS = 4_000;
/** For each second of the measurement, a little more than it can send in one. */
const EVENTS_PER_SECOND = 2_500;
const TICK_MS = 20;
const INSERT_MAX = 5_000;
const ARRIVAL_TIMEOUT_MS = 120_000;

type Scene = {
  readonly sql: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  readonly workspaceId: string;
  readonly receiver: Receiver;
  readonly api: ChildProcess;
};

type Receiver = {
  readonly url: string;
  report(): Promise<ReceiverReport>;
  stop(): Promise<void>;
};

export const outboundBench: Bench = {
  name: 'outbound',
  title:
    'Outbound webhooks (one API process; Postgres, the receiver and the load on the same machine)',
  run: ({ seconds, progress }) =>
    onlyPostgres(async urls => {
      progress('starting the API and a receiver');
      const tenant = await createDemoTenant(urls.system);
      const pool = new pg.Pool({ connectionString: urls.owner, max: 2 });
      pool.on('error', () => undefined);
      const receiver = await startReceiver();
      const api = await startSender(urls);
      const scene: Scene = {
        sql: async (text, values) => (await pool.query<Record<string, unknown>>(text, values)).rows,
        workspaceId: tenant.workspaceId,
        receiver,
        api,
      };
      try {
        return await measureAll(scene, seconds, progress);
      } finally {
        await stopChild(api);
        await receiver.stop();
        await pool.end();
      }
    }),
};

async function measureAll(
  scene: Scene,
  seconds: number,
  progress: (step: string) => void,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  await addEndpoints(scene, 1);
  progress('warming up');
  await burst(scene, WARM_UP_EVENTS);
  progress('to one endpoint');
  const toOne = await burst(scene, EVENTS_PER_SECOND * seconds);
  rows.push(rowOf('as many as can be, one endpoint', toOne));
  await addEndpoints(scene, ENDPOINTS - 1);
  progress('to ten endpoints');
  const toTen = await burst(scene, Math.floor((EVENTS_PER_SECOND * seconds) / ENDPOINTS));
  rows.push(rowOf('the same, ten endpoints', toTen));
  progress('at a steady rate');
  const without = await steady(scene, seconds);
  rows.push(rowOf(`${RATE}/s over ten endpoints`, without));
  progress('at a steady rate, one endpoint hanging');
  await addEndpoint(scene, '/hang');
  const beside = await steady(scene, seconds);
  rows.push(rowOf('the same, an eleventh hangs', beside));
  return rows;
}

type Taken = Measured & { readonly cpuSeconds: number };

function rowOf(scenario: string, taken: Taken): Row {
  return {
    scenario,
    'deliveries/s': Math.round(rateOf(taken)),
    'p50 ms': quantileMs(taken, 0.5),
    'p99 ms': quantileMs(taken, 0.99),
    'API CPU µs each': Math.round((taken.cpuSeconds * 1e6) / taken.latenciesMs.length),
    failed: taken.failed,
  };
}

/** All at once, until the last has arrived; the time between their commit and that. */
async function burst(scene: Scene, events: number): Promise<Taken> {
  const [{ endpoints }] = (await scene.sql(
    'SELECT count(*)::int AS endpoints FROM webhook_endpoints',
  )) as [{ endpoints: number }];
  const before = await scene.receiver.report();
  const cpuBefore = cpuSecondsOf(scene.api);
  for (let left = events; left > 0; left -= INSERT_MAX)
    await insertEvents(scene, Math.min(left, INSERT_MAX), before.ids);
  const startedAtMs = performance.now();
  await scene.sql('UPDATE outbound_events SET fanned_out_at = NULL WHERE fanned_out_at = $1', [
    HELD_BACK,
  ]);
  const latenciesMs = await arrived(scene, events * endpoints, Date.now());
  const seconds = (performance.now() - startedAtMs) / 1000;
  return { latenciesMs, seconds, failed: 0, cpuSeconds: (await cpuSecondsOf(scene.api)) - (await cpuBefore) };
}
