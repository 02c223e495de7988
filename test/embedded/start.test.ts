import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { DemoTenant } from '../../embedded/demo-tenant.ts';
import type { Opened } from '../../embedded/opened.ts';
import { commandLine, isAlive } from '../../embedded/processes.ts';
import { LOCK } from '../../migrations/migrate.ts';
import { eventually } from '../harness/eventually.ts';
import { leftovers } from '../harness/leftovers.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { QUICK_START_OPTIONS, quickStartEnvironment } from '../harness/quick-start.ts';
import { newDirectory } from '../harness/run-directory.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FREE_PORTS = {
  PORT: '0',
  INGEST_PORT: '0',
  API_PORT: '0',
  POSTGRES_PORT: '0',
  CLICKHOUSE_PORT: '0',
};
/** Other test files run at the same time, so ClickHouse must keep its priority. */
const SETTINGS = { ...FREE_PORTS, CLICKHOUSE_NICE: '0' };
const run = promisify(execFile);

type Service = {
  readonly dataDir: string;
  readonly process: ChildProcess;
  output(): string;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
};

const services: Service[] = [];
afterAll(async () => {
  for (const service of services) {
    if (service.process.exitCode === null) service.process.kill('SIGTERM');
    await service.ended;
  }
});

function environment(dataDir: string, env: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    DATA_DIR: dataDir,
    INGEST_THREADS: '1',
    NODE_OPTIONS: QUICK_START_OPTIONS,
    ...quickStartEnvironment(inject('runDirectory')),
    ...SETTINGS,
    ...env,
  };
}

/** Launches the service; `isReady` resolves when it has started. */
function launch(
  dataDir: string,
  { command = [process.execPath, 'embedded/start.ts'], env = {} as Record<string, string> } = {},
): Service {
  const [file, ...args] = command;
  // In its own process group, like a command typed into a terminal.
  const child = spawn(file!, args, { cwd: ROOT, env: environment(dataDir, env), detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const service = { dataDir, process: child, output: () => output, ended };
  services.push(service);
  return service;
}

async function start(...parameters: Parameters<typeof launch>): Promise<Service & Opened> {
  const service = launch(...parameters);
  const opened = await eventually(async () => {
    if (service.process.exitCode !== null) return undefined;
    expect(service.output()).toContain('Ctrl-C drains');
    return readJson<Opened>(service.dataDir, 'ports.json');
  });
  if (opened === undefined) throw new Error(`It ended:\n${service.output()}`);
  return { ...service, ...opened };
}

async function readJson<Content>(dataDir: string, name: string): Promise<Content> {
  return JSON.parse(await readFile(join(dataDir, name), 'utf8')) as Content;
}

type Children = Record<'ingest' | 'api' | 'clickhouse', { pid: number }>;

function children(dataDir: string): Promise<Children> {
  return readJson<Children>(dataDir, 'children.json');
}

/** Fails while the file is not completely written. */
async function pidOfPostgres(dataDir: string): Promise<number> {
  const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  const pid = Number.parseInt(await readFile(file, 'utf8'), 10);
  if (Number.isNaN(pid)) throw new Error('postmaster.pid is empty');
  return pid;
}

function demo(dataDir: string): Promise<{ stdout: string }> {
  return run('npm', ['run', '-s', 'demo'], { cwd: ROOT, env: environment(dataDir) });
}

/** The commands for users to paste. */
function pasteLines(output: string): { post: string; query: string } {
  const [post, query] = output.split('\n').filter(line => line.startsWith('  curl '));
  return { post: post!, query: query! };
}

type Tokens = {
  readonly accessToken: string;
  readonly adminToken: string;
  readonly agencyToken: string;
};

async function tokenOf(dataDir: string, { organizationId }: DemoTenant): Promise<string> {
  const command = ['run', '-s', 'token', '--', '--org', organizationId, '--role', 'member'];
  const { stdout } = await run('npm', command, { cwd: ROOT, env: environment(dataDir) });
  return stdout.trim();
}

function askViewer(baseUrl: string, token: string): Promise<unknown> {
  return askApi(baseUrl, token, '{ viewer { userId } }');
}

async function askApi(baseUrl: string, token: string, query: string): Promise<unknown> {
  const answer = await fetch(`${baseUrl}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  });
  return answer.json();
}

async function askClickhouse(clickhouseUrl: string, query: string): Promise<string> {
  const answer = await fetch(clickhouseUrl, { method: 'POST', body: query });
  return (await answer.text()).trim();
}

async function paste(line: string): Promise<string> {
  return (await run('sh', ['-c', line])).stdout;
}

async function postBatch(baseUrl: string, writeKey: string, messageId: string): Promise<number> {
  const time = new Date().toISOString();
  const ids = { messageId, anonymousId: 'a', sessionId: 's' };
  const event = { type: 'track', event: 'Tried', timestamp: time, ...ids };
  const answer = await fetch(`${baseUrl}/v1/batch`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ writeKey, sentAt: time, batch: [event] }),
  });
  await answer.text();
  return answer.status;
}

describe('npm start', () => {
  let dataDir: string;
  let first: Service & Opened;
  let shown: DemoTenant & Opened & Tokens;
  beforeAll(async () => {
    dataDir = join(await newDirectory('start with a space'), 'data of mine');
    // Started like a user does, without the options that make other tests fast.
    first = await start(dataDir, { command: ['npm', 'start'], env: { NODE_OPTIONS: '' } });
    shown = JSON.parse((await demo(dataDir)).stdout) as typeof shown;
  });

  test('the printed commands work', async () => {
    expect(shown).toMatchObject({
      baseUrl: first.baseUrl,
      ingestUrl: first.ingestUrl,
      apiUrl: first.apiUrl,
      clickhouseUrl: first.clickhouseUrl,
    });
    expect(first.output()).toContain(shown.writeKey);

    const { post, query } = pasteLines(first.output());
    expect(JSON.parse(await paste(post))).toMatchObject({ status: 'SUCCESS', accepted: 1 });
    await paste(post);
    await eventually(async () => expect(await paste(query)).toContain('Order Completed'));
    expect((await paste(query)).match(/Order Completed/g)).toHaveLength(1);

    const { accessToken, adminToken, agencyToken } = shown;
    for (const token of [accessToken, adminToken, agencyToken, await tokenOf(dataDir, shown)])
      expect(await askViewer(first.baseUrl, token)).toMatchObject({ data: { viewer: {} } });
    const { mode } = await stat(join(dataDir, 'secrets.json'));
    expect(mode & 0o777).toBe(0o600);
  });

  test('Ctrl-C stops everything', async () => {
    const { ingest } = await children(dataDir);
    expect(await commandLine(ingest.pid)).toMatch(/ingest.main\.ts --data-dir .*data of mine/);
    process.kill(-first.process.pid!, 'SIGINT');
    expect(await first.ended).toBe(0);
    await expect(children(dataDir)).rejects.toThrow('ENOENT');
    expect(leftovers(dataDir)).toEqual([]);
    await expect(demo(dataDir)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/No service is running/),
    });
  });

  test('the next start has all data', async () => {
    const second = await start(dataDir);
    expect(JSON.parse((await demo(dataDir)).stdout)).toMatchObject({ writeKey: shown.writeKey });
    // The secret of the first start is still valid.
    expect(await askViewer(second.baseUrl, shown.accessToken)).toMatchObject({
      data: { viewer: {} },
    });
    const again = pasteLines(second.output()).query;
    expect(await paste(again)).toContain('Order Completed');
    second.process.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    expect(leftovers(dataDir)).toEqual([]);
  });
});

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
      gatewayPayments(first: 9) { nodes { status } }
      gatewayDisputes(first: 9) { nodes { cfPaymentId } }
      webhookDeliveries(first: 1, state: DELIVERED) { nodes { state } } }`;
    await eventually(async () => {
      expect(await askApi(baseUrl, accessToken, told), shop.output()).toMatchObject({
        data: {
          gatewayPayments: { nodes: Array.from({ length: 4 }, () => ({ status: 'SUCCESS' })) },
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

test.concurrent.each(Object.keys(FREE_PORTS))(
  'a port in use is reported with its variable %s, and no process is left',
  async name => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const dataDir = await newDirectory('start');
    const port = String((other.address() as AddressInfo).port);
    const service = launch(dataDir, { env: { [name]: port } });
    expect(await service.ended).toBe(1);
    other.close();
    expect(service.output()).toMatch(new RegExp(`start: .*in use.*\\b${name}\\b`));
    expect(leftovers(dataDir)).toEqual([]);
  },
);

test.concurrent('a HOST of another machine is reported before anything starts', async () => {
  const dataDir = await newDirectory('start');
  // An address reserved for documentation, which no machine has.
  const service = launch(dataDir, { env: { HOST: '192.0.2.1' } });
  expect(await service.ended).toBe(1);
  expect(service.output()).toContain('Set HOST');
  await expect(readFile(join(dataDir, 'postgres', 'passwords.json'))).rejects.toThrow('ENOENT');
});

test('a signal during startup stops it', async () => {
  const dataDir = await newDirectory('start');
  const service = launch(dataDir);
  await eventually(() => readFile(join(dataDir, 'lock')), { intervalMs: 5 });
  service.process.kill('SIGINT');
  expect(await service.ended).toBe(0);
  expect(service.output()).not.toContain('Ctrl-C drains');
  expect(leftovers(dataDir)).toEqual([]);
});

test('a signal stops a start that waits for another migration', async () => {
  const { owner } = await ownDatabase();
  const holder = new pg.Client({ connectionString: owner });
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock($1::bigint)', [LOCK]);
  const dataDir = await newDirectory('start');
  const env = { DATABASE_URL: owner, CLICKHOUSE_URL: inject('clickhouseUrl') };
  const service = launch(dataDir, { env });
  await eventually(() => expect(service.output()).toContain('Waiting for another migration'));
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  await holder.end();
  expect(leftovers(dataDir)).toEqual([]);
});

test('a second Ctrl-C during the first start leaves no Postgres process, even one that hangs', async () => {
  const dataDir = await newDirectory('start');
  const service = launch(dataDir);
  const postgresPid = await eventually(() => pidOfPostgres(dataDir), { intervalMs: 2 });
  process.kill(postgresPid, 'SIGSTOP');
  await eventually(() => {
    service.process.kill('SIGINT');
    expect(service.process.exitCode).toBe(1);
  });
  await service.ended;
  await eventually(() => expect(leftovers(dataDir)).toEqual([]));
});

test('with external engines it starts none, and its demo works with them', async () => {
  const dataDir = await newDirectory('start');
  const { owner, app, system } = await ownDatabase();
  const clickhouseUrl = inject('clickhouseUrl');
  const env = { DATABASE_URL: owner, CLICKHOUSE_URL: clickhouseUrl };
  const service = await start(dataDir, { env });
  expect(Object.keys(await children(dataDir))).toEqual(['ingest', 'gateway', 'approver', 'api']);
  expect(service).toMatchObject({ postgresPort: null, clickhouseUrl });
  const { post } = pasteLines(service.output());
  expect(JSON.parse(await paste(post))).toMatchObject({ status: 'SUCCESS', accepted: 1 });
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);

  const secrets = {
    AUTH_JWT_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEYS: `own:${randomBytes(32).toString('base64')}`,
  };
  const logins = { DATABASE_APP_URL: app, DATABASE_SYSTEM_URL: system };
  const inProduction = { ...env, ...logins, ...secrets, NODE_ENV: 'production' };
  const production = await start(dataDir, { env: inProduction });
  expect(production.output()).not.toContain('write key');
  await expect(demo(dataDir)).rejects.toMatchObject({
    stderr: expect.stringContaining('no demo tenant'),
  });
});
