// Secrets and the logins of Postgres are replaced under load, by the steps in docs/operators.md: two ingest and two API
// nodes behind nginx, one restarted after the other. No request fails, and at the end the old secrets are refused.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../embedded/ports.ts';
import { migrate } from '../../migrations/migrate.ts';
import type { DatabaseUrls } from '../../schema/environment/database-urls.ts';
import { type ApiProcess, startApi } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { batchText, eventOf, newMessageId } from '../harness/batch.ts';
import { JSON_TYPE, untilKnown } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import { newSecret, paymentEvent, postWebhook } from '../harness/gateway-webhook.ts';
import { keepAlive, send } from '../harness/http.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { deliveryRow } from '../harness/internal.ts';
import { hasProgram, type Nginx, startNginx } from '../harness/nginx.ts';
import {
  hasPostgresServer,
  type PostgresServer,
  startPostgresServer,
} from '../harness/postgres-server.ts';
import { storedEvents } from '../harness/stored-events.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';
import { OPEN_MAX, repeat } from './harness/steady-load.ts';

const NOTICE_MS = '500';
const NGINX_IDLE = '300ms';
const PER_SECOND = 10;
const [OLD, NEW] = [secrets(), secrets()];
const agent = keepAlive(4 * OPEN_MAX);

type Environment = Readonly<Record<string, string>>;
type Secrets = Readonly<Record<'internal' | 'jwt' | 'gateway', string>>;
type Api = { current: ApiProcess; readonly port: number; env: Environment };

const canRun = hasProgram('nginx') && hasPostgresServer();

if (!canRun)
  process.stdout.write(
    'rotation: skipped, because nginx or Debian’s postgresql is not installed\n',
  );

describe.skipIf(!canRun)('behind nginx, with the PostgreSQL of Debian', () => {
  const ingest: IngestProcess[] = [];
  const api: Api[] = [];
  const logs: string[] = [];
  let postgres: PostgresServer;
  let database: DatabaseUrls;
  let nginx: Nginx;
  let tenant: Tenant;

  beforeAll(async () => {
    postgres = await startPostgresServer();
    database = postgres.urls;
    await migrate({ databaseUrl: database.owner, clickhouseUrls: {}, log: () => undefined });
    const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    const [ingestPorts, apiPorts] = [ports.slice(0, 2), ports.slice(2)];
    nginx = await startNginx({
      ingest: ingestPorts,
      api: apiPorts,
      edit: conf => conf.replaceAll('keepalive_timeout 3s', `keepalive_timeout ${NGINX_IDLE}`),
    });
    await Promise.all([...ingestPorts.map(addIngest), ...apiPorts.map(addApi)]);
    tenant = await createTenant({ databaseUrl: database.owner });
    await Promise.all(ingest.map(node => untilKnown(node, tenant.writeKey)));
  });
  afterAll(async () => {
    agent.destroy();
    await nginx?.stop();
    await Promise.all([
      ...ingest.map(node => node.kill9()),
      ...api.map(({ current }) => current.stop()),
    ]);
    await postgres?.kill9();
  });

  async function addIngest(port: number): Promise<void> {
    const env = {
      INGEST_PORT: String(port),
      DRAIN_NOTICE_MS: NOTICE_MS,
      DATABASE_SYSTEM_URL: database.system,
      INTERNAL_TOKEN: OLD.internal,
      GATEWAY_WEBHOOK_SECRET: OLD.gateway,
      GATEWAY_ABANDONED_CHECKOUT_SECRET: newSecret(),
    };
    ingest.push(await startIngest({ threads: 1, env }));
  }

  async function addApi(port: number): Promise<void> {
    const env = {
      API_PORT: String(port),
      DRAIN_NOTICE_MS: NOTICE_MS,
      DATABASE_APP_URL: database.app,
      DATABASE_SYSTEM_URL: database.system,
      INGEST_URL: nginx.internalUrl,
      INTERNAL_TOKEN: OLD.internal,
      AUTH_JWT_SECRET: OLD.jwt,
    };
    api.push({ current: await startApi({ env }), port, env });
  }

  /** One node after the other. A blank variable counts as unset. */
  async function restartIngest(env: Environment): Promise<void> {
    for (const node of ingest) {
      expect(await node.stop()).toEqual({ code: 0, signal: null });
      await node.restart(env);
    }
  }

  async function restartApi(env: Environment): Promise<void> {
    for (const node of api) {
      logs.push(node.current.logs());
      expect(await node.current.stop()).toBe(0);
      node.env = { ...node.env, ...env };
      node.current = await startApi({ env: node.env });
    }
  }

  /** Requests of all who know a secret, with those that they know now. */
  function startLoad(known: () => Secrets) {
    const failures: string[] = [];
    const messageIds: string[] = [];
    const note = (what: string, answer: { readonly status: number; readonly text: string }) => {
      if (answer.status !== 200 || answer.text.includes('"errors"'))
        failures.push(`${what} ${answer.status} ${answer.text}`);
    };
    const parts = [
      repeat(PER_SECOND, failures, async () => {
        const id = newMessageId();
        messageIds.push(id);
        const body = batchText(tenant.writeKey, [eventOf(id)]);
        note('batch', await send(`${nginx.url}/v1/batch`, { body, headers: JSON_TYPE, agent }));
      }),
      repeat(PER_SECOND, failures, async () => note('query', await ask(known().jwt))),
      repeat(PER_SECOND, failures, async () => {
        const secret = known().gateway;
        note('webhook', await postWebhook(nginx, paymentEvent().text, { secret, agent }));
      }),
      // An API process sends it to ingest with the internal token.
      repeat(PER_SECOND, failures, async () => {
        await sql(
          `INSERT INTO ingest_outbox (id, workspace_id, table_name, row)
           VALUES (gen_random_uuid(), $1, 'deliveries_raw', $2)`,
          [tenant.workspaceId, JSON.stringify(deliveryRow())],
          database.owner,
        );
      }),
    ];
    return {
      failures,
      messageIds,
      stop: () => Promise.all(parts.map(part => part.stop())),
    };
  }

  async function ask(secret: string) {
    const token = await tokenFor(tenant.organizationId, { secret });
    const headers = { ...JSON_TYPE, authorization: `Bearer ${token}` };
    const body = JSON.stringify({ query: '{ viewer { userId } }' });
    return send(`${nginx.url}/graphql`, { body, headers, agent });
  }

  test('each secret is replaced without a failed request', async () => {
    let known = OLD;
    const logins = await addLogins(postgres);
    const load = startLoad(() => known);
    await restartIngest({
      DATABASE_SYSTEM_URL: logins.system,
      INTERNAL_TOKEN: NEW.internal,
      INTERNAL_TOKEN_PREVIOUS: OLD.internal,
      GATEWAY_WEBHOOK_SECRET: NEW.gateway,
      GATEWAY_WEBHOOK_SECRET_PREVIOUS: OLD.gateway,
    });
    await restartApi({
      DATABASE_APP_URL: logins.app,
      DATABASE_SYSTEM_URL: logins.system,
      INTERNAL_TOKEN: NEW.internal,
      AUTH_JWT_SECRET: NEW.jwt,
      AUTH_JWT_SECRET_PREVIOUS: OLD.jwt,
    });
    known = NEW;
    await postgres.query('ALTER ROLE service_app NOLOGIN');
    await postgres.query('ALTER ROLE service_system NOLOGIN');
    await restartIngest({ INTERNAL_TOKEN_PREVIOUS: '', GATEWAY_WEBHOOK_SECRET_PREVIOUS: '' });
    await restartApi({ AUTH_JWT_SECRET_PREVIOUS: '' });
    await load.stop();

    expect(load.failures, nginx.errors()).toEqual([]);
    logs.push(...api.map(({ current }) => current.logs()));
    expect(logs.join('\n')).not.toContain('cannot send rows to ingest');
    await storedEvents(tenant.workspaceId, load.messageIds);
    await eventually(async () => {
      const waiting = await sql('SELECT FROM ingest_outbox', [], database.owner);
      expect(waiting).toHaveLength(0);
    });
    expect(await connectedLogins(postgres)).toEqual(['service_app_2', 'service_system_2']);
    expect((await ask(OLD.jwt)).status).toBe(401);
    const forged = await postWebhook(nginx, paymentEvent().text, { secret: OLD.gateway });
    expect(forged.status).toBe(401);
    const headers = { authorization: `Bearer ${OLD.internal}` };
    const tail = await send(`${nginx.internalUrl}/internal/tail`, { method: 'GET', headers });
    expect(tail.status).toBe(401);
  });
});

/** Further logins with the rights of the first ones. */
async function addLogins(postgres: PostgresServer) {
  const password = newSecret();
  await postgres.query(
    `CREATE ROLE service_app_2 LOGIN PASSWORD '${password}' IN ROLE service_app`,
  );
  await postgres.query(
    `CREATE ROLE service_system_2 LOGIN PASSWORD '${password}' IN ROLE service_system`,
  );
  const withLogin = (url: string, username: string) =>
    Object.assign(new URL(url), { username, password }).href;
  return {
    app: withLogin(postgres.urls.app, 'service_app_2'),
    system: withLogin(postgres.urls.system, 'service_system_2'),
  };
}

/** Of both programs. The test itself connects as the owner. */
async function connectedLogins(postgres: PostgresServer): Promise<readonly unknown[]> {
  const rows = await postgres.query(
    `SELECT DISTINCT usename FROM pg_stat_activity
     WHERE usename LIKE 'service_%' AND usename <> 'service_owner' ORDER BY usename`,
  );
  return rows.map(({ usename }) => usename);
}

function secrets(): Secrets {
  return { internal: newSecret(), jwt: newSecret(), gateway: newSecret() };
}
