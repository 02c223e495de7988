// A running service: killed parts, its ports, and the commands that work with it.

import { beforeAll, describe, expect, test } from 'vitest';
import type { DemoTenant } from '../../embedded/demo-tenant.ts';
import type { Opened } from '../../embedded/opened.ts';
import { isAlive } from '../../embedded/processes.ts';
import { eventually } from '../harness/eventually.ts';
import { newDirectory } from '../harness/run-directory.ts';
import {
  askApi,
  askClickhouse,
  children,
  demo,
  environment,
  paste,
  pasteLines,
  pidOfPostgres,
  postBatch,
  ROOT,
  readJson,
  run,
  type Service,
  type Tokens,
  useServices,
} from './services.ts';

const { launch, start } = useServices();

/** One service shared by the tests that do not stop it. */
describe('a running service', () => {
  let running: (Service & Opened) | undefined;
  beforeAll(async () => {
    running = await start(await newDirectory('start'));
  });
  const first = () => running!;

  test('a second service on the same directory is refused and has no effect', async () => {
    const { dataDir, baseUrl } = first();
    const other = launch(dataDir);
    expect(await other.ended).toBe(1);
    expect(other.output()).toContain('already running');
    expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
  });

  test('a killed part is restarted on its port, and no event is lost', async () => {
    const { dataDir, baseUrl, ingestUrl, clickhouseUrl } = first();
    const { writeKey, workspaceId } = await readJson<DemoTenant>(dataDir, 'demo.json');
    for (const name of ['ingest', 'api', 'clickhouse'] as const) {
      expect(await postBatch(baseUrl, writeKey, `before-${name}`)).toBe(200);
      const { pid } = (await children(dataDir))[name];
      process.kill(pid, 'SIGKILL');
      await eventually(async () => expect((await children(dataDir))[name].pid).not.toBe(pid));
      await eventually(async () => {
        expect(await postBatch(baseUrl, writeKey, `after-${name}`)).toBe(200);
      });
    }
    const postgresPid = await pidOfPostgres(dataDir);
    process.kill(postgresPid, 'SIGKILL');
    await eventually(async () => expect(await pidOfPostgres(dataDir)).not.toBe(postgresPid));
    await eventually(async () => expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200));
    expect((await fetch(`${ingestUrl}/healthz`)).status).toBe(200);
    const query = `SELECT message_id FROM events WHERE workspace_id = '${workspaceId}' ORDER BY 1`;
    await eventually(async () => {
      expect((await askClickhouse(clickhouseUrl, query)).split('\n')).toEqual([
        'after-api',
        'after-clickhouse',
        'after-ingest',
        'before-api',
        'before-clickhouse',
        'before-ingest',
      ]);
    });
  });

  test('metrics are only served at the programs’ own addresses', async () => {
    const { baseUrl, apiUrl, ingestUrl } = first();
    const statuses = [baseUrl, apiUrl, ingestUrl].map(
      async url => (await fetch(`${url}/metrics`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([404, 200, 200]);
  });

  test('webhooks cannot reach the service’s own ports', async () => {
    const { dataDir, apiUrl, baseUrl, clickhouseUrl, gatewayUrl, ingestUrl, postgresPort } =
      first();
    const { accessToken } = JSON.parse((await demo(dataDir)).stdout) as Tokens;
    const urls = [apiUrl, baseUrl, clickhouseUrl, gatewayUrl, ingestUrl, `x://x:${postgresPort}`];
    for (const port of urls.map(url => new URL(url!).port)) {
      const query = `mutation { webhookEndpointCreate(input: {url: "http://a.localhost:${port}/"}) {
        userErrors { code message } } }`;
      expect(await askApi(baseUrl, accessToken, query)).toMatchObject({
        data: {
          webhookEndpointCreate: {
            userErrors: [
              {
                code: 'WEBHOOK_URL_REFUSED',
                message: `Port ${port} is used by the service itself.`,
              },
            ],
          },
        },
      });
    }
  });

  test('after a kill -9 its child processes exit, and the next start succeeds', async () => {
    const { dataDir, ...before } = first();
    const { writeKey } = await readJson<DemoTenant>(dataDir, 'demo.json');
    expect(await postBatch(before.baseUrl, writeKey, 'kept')).toBe(200);
    const { ingest, clickhouse } = await children(dataDir);
    before.process.kill('SIGKILL');
    const port = (url: string) => new URL(url).port;
    const second = await start(dataDir, {
      env: {
        PORT: port(before.baseUrl),
        INGEST_PORT: port(before.ingestUrl),
        API_PORT: port(before.apiUrl),
        CLICKHOUSE_PORT: port(before.clickhouseUrl),
        POSTGRES_PORT: String(before.postgresPort),
      },
    });
    running = second;
    expect(isAlive(ingest.pid) || isAlive(clickhouse.pid)).toBe(false);
    await eventually(async () => {
      expect(await paste(pasteLines(second.output()).query)).toContain('kept');
    });
  });

  test('npm run shop sends demo traffic until Ctrl-C', async () => {
    const { dataDir, baseUrl, clickhouseUrl } = first();
    const { accessToken } = JSON.parse((await demo(dataDir)).stdout) as Tokens;
    const shop = launch(dataDir, { command: ['npm', 'run', '-s', 'shop'] });
    const query = `SELECT
      (SELECT uniqExact(type) FROM events WHERE message_id LIKE 'shop-%'),
      (SELECT uniqExact(code) > 1 FROM rejected_events WHERE message_id LIKE 'shop-%'),
      (SELECT arraySort(groupUniqArray(event_type)) FROM in_app_events)`;
    await eventually(async () => {
      expect(await askClickhouse(clickhouseUrl, query), shop.output()).toBe(
        "6\t1\t['clicked','dismissed','impression']",
      );
    });
    const told = `{
      gatewayLinks(first: 50) { nodes { purpose status } }
      gatewayPayments(first: 1) { nodes { status } }
      gatewayDisputes(first: 9) { nodes { cfPaymentId } }
      webhookDeliveries(first: 1, state: DELIVERED) { nodes { state } } }`;
    await eventually(async () => {
      expect(await askApi(baseUrl, accessToken, told), shop.output()).toMatchObject({
        data: {
          // Further orders follow the first four.
          gatewayLinks: {
            nodes: expect.arrayContaining(
              [1042, 1043, 1044, 1045, 1046].map(number => ({
                purpose: `Order ${number}`,
                status: 'PAID',
              })),
            ),
          },
          gatewayPayments: { nodes: [{}] },
          gatewayDisputes: { nodes: [{}] },
          webhookDeliveries: { nodes: [{}] },
        },
      });
    });
    process.kill(-shop.process.pid!, 'SIGINT');
    expect(await shop.ended).toBe(0);
    expect(shop.output()).toMatch(/The shop is closed: \d+ events accepted/);
    const endpoints = '{ webhookEndpoints(first: 9) { nodes { description state } } }';
    expect(await askApi(baseUrl, accessToken, endpoints)).toMatchObject({
      data: { webhookEndpoints: { nodes: [{ description: 'Shop backend', state: 'DISABLED' }] } },
    });
  });

  test('npm run clock advances the time of the whole service: held credits are released, and due objects expire', async () => {
    const { dataDir, baseUrl } = first();
    const { accessToken, agencyToken } = JSON.parse((await demo(dataDir)).stdout) as Tokens;
    const rest = async (path: string, token: string) => {
      const headers = { Authorization: `Bearer ${token}` };
      const answer = await fetch(`${baseUrl}/api/v1/${path}`, { headers });
      return (await answer.json()) as Record<string, unknown>;
    };
    const open = async () =>
      (await rest('agencies/dashboard', agencyToken)).deal_counts as Record<string, number>;
    expect(await rest('referrals/wallet', accessToken)).not.toMatchObject({ credits_pending: 0 });
    const before = await open();
    const env = environment(dataDir);
    await run('npm', ['run', '-s', 'clock', '--', '+91d'], { cwd: ROOT, env });
    await eventually(async () =>
      expect(await rest('referrals/wallet', accessToken)).toMatchObject({ credits_pending: 0 }),
    );
    expect((await open()).EXPIRED).toBeGreaterThan(before.EXPIRED!);
  });
});
