// The service as an operator starts it: `npm start` in production, with a data directory of its own
// and its log in a file. DATABASE_URL, CLICKHOUSE_URL and all other settings may be in the environment.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Opened, readOpened } from '../../embedded/opened.ts';
import { freePort } from '../../embedded/ports.ts';
import type { Passwords } from '../../embedded/postgres/cluster.ts';
import { urlsOf } from '../../embedded/postgres/roles.ts';
import { signToken } from '../../embedded/sign-token.ts';
import { DEFAULT_AUDIENCE, DEFAULT_ISSUER } from '../../graphql-api/app/auth-config.ts';
import { ORGANIZATIONS } from './batches.ts';

export type Organization = {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly propertyId: string;
  readonly writeKey: string;
};

export type SoakService = Opened & {
  readonly child: ChildProcess;
  readonly dataDir: string;
  readonly logFile: string;
  readonly databaseUrl: string;
  readonly operationsUrls: Readonly<Record<'ingest' | 'api', string>>;
  readonly organizations: readonly Organization[];
  /** An owner's token of the first organization. */
  readonly token: string;
  readonly stop: () => Promise<void>;
};

const ROOT = join(import.meta.dirname, '..', '..');
const SECRET = 'of-a-soak-for-as-long-as-it-is-running';
const START_MAX_MS = 120_000;
const LOOK_MS = 200;
/** More than the threads of ingest. */
const KNOWN_IN_A_ROW = 10;
/** A soak may last a weekend. */
const TOKEN_TTL_SECONDS = 7 * 24 * 3_600;

export async function startService(signal: AbortSignal): Promise<SoakService> {
  const directory = await mkdtemp(join(tmpdir(), 'engagement-soak-'));
  // Postgres may run as another user, who must enter the directory.
  chmodSync(directory, 0o711);
  const [dataDir, logFile] = [join(directory, 'data'), join(directory, 'service.log')];
  const [ingestPort, apiPort] = [await freePort(), await freePort()];
  const env = environment(dataDir, ingestPort, apiPort);
  const log = openSync(logFile, 'a');
  // In a group of its own: Ctrl-C must first end the load.
  const child = spawn(process.execPath, [join(ROOT, 'embedded', 'start.ts')], {
    env,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const opened = await untilOpened(child, dataDir, logFile, signal);
    const organizations = await createOrganizations(env);
    await untilKnown(opened.baseUrl, organizations, signal);
    const token = await signToken({
      ...organizations[0]!,
      secret: SECRET,
      issuer: DEFAULT_ISSUER,
      audience: DEFAULT_AUDIENCE,
      userId: 'soak',
      roles: ['owner'],
      ttlSeconds: TOKEN_TTL_SECONDS,
    });
    const [ingest, api] = [ingestPort, apiPort].map(port => `http://127.0.0.1:${port}`);
    return {
      ...opened,
      child,
      dataDir,
      logFile,
      databaseUrl: process.env.DATABASE_URL ?? ownerUrl(dataDir, opened.postgresPort!),
      operationsUrls: { ingest: ingest!, api: api! },
      organizations,
      token,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function environment(dataDir: string, ingestPort: number, apiPort: number): NodeJS.ProcessEnv {
  return {
    PORT: '0',
    INGEST_PORT: '0',
    API_PORT: '0',
    POSTGRES_PORT: '0',
    CLICKHOUSE_PORT: '0',
    INGEST_THREADS: '2',
    // ClickHouse usually has a server of its own, so it runs here at normal priority.
    CLICKHOUSE_NICE: '0',
    ...process.env,
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    INGEST_OPERATIONS_PORT: String(ingestPort),
    API_OPERATIONS_PORT: String(apiPort),
    AUTH_JWT_SECRET: SECRET,
    INTERNAL_TOKEN: SECRET,
    ENCRYPTION_KEYS: `soak:${Buffer.alloc(32, 1).toString('base64')}`,
  };
}

async function untilOpened(
  child: ChildProcess,
  dataDir: string,
  logFile: string,
  signal: AbortSignal,
): Promise<Opened> {
  const endsMs = performance.now() + START_MAX_MS;
  for (;;) {
    const opened = readOpened(dataDir);
    if (opened !== undefined) return opened;
    if (child.exitCode !== null || performance.now() > endsMs)
      throw new Error(`The service did not start. Its log:\n${readFileSync(logFile, 'utf8')}`);
    await wait(LOOK_MS, undefined, { signal });
  }
}

async function createOrganizations(env: NodeJS.ProcessEnv): Promise<Organization[]> {
  const cells = (await admin(env, ['cell', 'list'])) as unknown[];
  if (cells.length === 0) await admin(env, ['cell', 'add', '--slug', 'default', '--region', 'eu']);
  const organizations: Organization[] = [];
  for (let number = 1; number <= ORGANIZATIONS; number++) {
    const names = ['--name', `Soak ${number}`, '--workspace', 'Shop'];
    organizations.push((await admin(env, ['org', 'create', ...names])) as Organization);
  }
  return organizations;
}

/** Ingest loads new keys within a second, into each of its threads. */
async function untilKnown(
  baseUrl: string,
  organizations: readonly Organization[],
  signal: AbortSignal,
): Promise<void> {
  for (let known = 0; known < KNOWN_IN_A_ROW; ) {
    const answers = await Promise.all(
      organizations.map(({ writeKey }) =>
        fetch(`${baseUrl}/v1/batch`, {
          method: 'POST',
          body: JSON.stringify({ writeKey, batch: [], sentAt: new Date().toISOString() }),
          headers: { 'content-type': 'application/json', connection: 'close' },
        }).then(answer => answer.text()),
      ),
    );
    known = answers.every(text => text.includes('EMPTY_BATCH')) ? known + 1 : 0;
    await wait(LOOK_MS, undefined, { signal });
  }
}

async function admin(env: NodeJS.ProcessEnv, words: readonly string[]): Promise<unknown> {
  const file = join(ROOT, 'embedded', 'admin.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...words, '--json'], {
    env,
  });
  return JSON.parse(stdout);
}

function ownerUrl(dataDir: string, port: number): string {
  const passwords = readFileSync(join(dataDir, 'postgres', 'passwords.json'), 'utf8');
  return urlsOf(port, JSON.parse(passwords) as Passwords).owner;
}
