// The environment of the webhook benchmark: Postgres, an API process that sends, and a receiver.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { API_NODE_ARGS } from '../embedded/api-node-args.ts';
import { createDemoTenant } from '../embedded/demo-tenant.ts';
import { newWebhookSecret, webhookSecretPlace } from '../graphql-api/webhooks/signature.ts';
import { parseEncryptionKeys } from '../schema/environment/encryption-keys.ts';
import { createSecrets } from '../schema/values/sealing.ts';
import { type DatabaseUrls, onlyPostgres } from './only-postgres.ts';
import type { ReceiverReport } from './webhook-receiver.ts';

export type OutboundScene = {
  /** Runs a query as the owner of the tables. */
  readonly sql: (text: string, values?: unknown[]) => Promise<unknown>;
  /** The subscribed event types; empty for all. */
  addEndpoint(path: string, eventTypes: readonly string[]): Promise<void>;
  /**
   * Adds events of type `lane0.happened`, `lane1.happened` … in turn; `held` events wait until they
   * are released.
   */
  addEvents(
    count: number,
    options: { readonly lanes: number; readonly isHeld: boolean },
  ): Promise<void>;
  letGo(): Promise<void>;
  report(): Promise<ReceiverReport>;
  /** The CPU time of the API so far. */
  cpuSeconds(): Promise<number>;
};

const KEYS = `bench:${Buffer.alloc(32, 1).toString('base64')}`;
const SECRET = 'of-a-bench-for-as-long-as-it-runs';
const HERE = import.meta.dirname;
/** The same on every Linux. */
const TICKS_PER_SECOND = 100;
const NO_ADDRESS = 'http://127.0.0.1:1';

export function onOutboundScene<T>(
  execArgv: readonly string[],
  measure: (scene: OutboundScene) => Promise<T>,
): Promise<T> {
  return onlyPostgres(async urls => {
    const { workspaceId } = await createDemoTenant(urls.system);
    const pool = new pg.Pool({ connectionString: urls.owner, max: 2 });
    // Postgres may end an idle connection when all parts stop.
    pool.on('error', () => undefined);
    const receiver = fork(join(HERE, 'webhook-receiver.ts'), [], { execArgv: [] });
    const { port } = await firstMessage<{ port: number }>(receiver);
    const api = await startApi(urls, execArgv);
    try {
      return await measure(sceneOf({ workspaceId, pool, receiver, port, api }));
    } finally {
      await stop(api);
      await stop(receiver);
      await pool.end();
    }
  });
}

type Parts = {
  readonly workspaceId: string;
  readonly pool: pg.Pool;
  readonly receiver: ChildProcess;
  readonly port: number;
  readonly api: ChildProcess;
};

function sceneOf({ workspaceId, pool, receiver, port, api }: Parts): OutboundScene {
  const sql = (text: string, values?: unknown[]) => pool.query(text, values);
  const secrets = createSecrets(parseEncryptionKeys(KEYS)!);
  return {
    sql,
    async addEndpoint(path, eventTypes) {
      const id = uuidv7();
      await sql(
        `INSERT INTO webhook_endpoints (id, workspace_id, url, event_types, created_by)
         VALUES ($1, $2, $3, $4, 'bench')`,
        [id, workspaceId, `http://127.0.0.1:${port}${path}`, eventTypes],
      );
      const { keyId, sealed } = secrets.seal(webhookSecretPlace(id), newWebhookSecret());
      await sql(
        `INSERT INTO webhook_secrets (endpoint_id, workspace_id, generation, key_id, sealed)
         VALUES ($1, $2, 'CURRENT', $3, $4)`,
        [id, workspaceId, keyId, sealed],
      );
    },
    async addEvents(count, { lanes, isHeld }) {
      await sql(
        `INSERT INTO outbound_events (id, workspace_id, type, payload, occurred_at, fanned_out_at)
         SELECT gen_random_uuid(), $1, 'lane' || number % $3 || '.happened', $4, now(),
                CASE WHEN $5 THEN 'infinity'::timestamptz END
         FROM generate_series(1, $2) AS number`,
        [workspaceId, count, lanes, JSON.stringify(payload()), isHeld],
      );
    },
    letGo: async () => {
      await sql(`UPDATE outbound_events SET fanned_out_at = NULL WHERE fanned_out_at = 'infinity'`);
    },
    report: async () => {
      receiver.send({});
      const [report] = (await once(receiver, 'message')) as [ReceiverReport];
      return report;
    },
    cpuSeconds: () => cpuSecondsOf(api.pid!),
  };
}

/** The body of an opened push message. */
function payload() {
  return {
    delivery_id: uuidv7(),
    channel: 'push',
    campaign_id: uuidv7(),
    message_id: uuidv7(),
    user_id: 'user-4711',
    contact_id: '',
    anonymous_id: '',
    platform: 'android',
    property_id: uuidv7(),
    occurred_at: new Date().toISOString(),
    metadata: { screen: 'home', language: 'en-IN' },
    created_ms: Date.now(),
  };
}

/** As run by `npm start`, except for the allowed webhook targets. */
async function startApi(urls: DatabaseUrls, execArgv: readonly string[]): Promise<ChildProcess> {
  const child = fork(join(HERE, '..', 'graphql-api', 'app', 'main.ts'), [], {
    env: {
      PATH: process.env.PATH,
      API_HOST: '127.0.0.1',
      API_PORT: '0',
      LOG_LEVEL: 'warn',
      DATABASE_APP_URL: urls.app,
      DATABASE_SYSTEM_URL: urls.system,
      CLICKHOUSE_URL: NO_ADDRESS,
      INGEST_URL: NO_ADDRESS,
      INTERNAL_TOKEN: SECRET,
      AUTH_JWT_SECRET: SECRET,
      ENCRYPTION_KEYS: KEYS,
      WEBHOOK_ALLOW_LOOPBACK: '1',
    },
    execArgv: [...API_NODE_ARGS, ...execArgv],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await firstMessage(child);
  return child;
}

async function firstMessage<T>(child: ChildProcess): Promise<T> {
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`The API exited at start: ${code}`);
  });
  const [first] = await Promise.race([once(child, 'message'), gone]);
  return first as T;
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

async function cpuSecondsOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
