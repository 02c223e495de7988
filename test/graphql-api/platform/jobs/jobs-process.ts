import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, inject } from 'vitest';
import { TEST_ENCRYPTION_KEYS } from '../../../harness/environments.ts';
import { ownDatabase } from '../../../harness/own-database.ts';
import { QUICK_START_ARGS, quickStartEnvironment } from '../../../harness/quick-start.ts';
import { RUN_DIRECTORY_VARIABLE } from '../../../harness/run-directory-variable.ts';
import { createTenant, sql } from '../../../harness/tenant.ts';
import { TEST_SECRET } from '../../harness/tokens.ts';
import type { ToJobs } from './jobs-program.ts';

export type JobsScene = {
  readonly systemUrl: string;
  /** Starts another process, with this time on its clock. */
  startProcess(now: string): Promise<JobsProcess>;
  /** The executed jobs, in order. */
  seen(): Promise<readonly { pid: number; job: string; what: string }[]>;
  /** Lets the slow job with this name finish. */
  release(name: string): Promise<void>;
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
};

export type JobsProcess = {
  readonly pid: number;
  setClock(now: string): void;
  /** Requests a job like an action does: in a transaction, which may fail afterwards. */
  ask(job: 'slow' | 'failing', name: string, options?: { readonly fails?: boolean }): Promise<void>;
  stop(): Promise<void>;
  kill9(): Promise<void>;
};

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Uses its own database, because all processes of a database share its queue. */
export async function jobsScene(): Promise<JobsScene> {
  const urls = await ownDatabase();
  const query: JobsScene['query'] = (text, values) => sql(text, values, urls.owner);
  await query(
    'CREATE TABLE seen (number int GENERATED ALWAYS AS IDENTITY, pid int, job text, what text)',
  );
  await query('CREATE TABLE released (name text)');
  await query('GRANT ALL ON seen, released TO service_system');
  const { organizationId } = await createTenant({ databaseUrl: urls.owner });
  const env = {
    PATH: process.env.PATH ?? '',
    [RUN_DIRECTORY_VARIABLE]: inject('runDirectory'),
    ...quickStartEnvironment(inject('runDirectory')),
    DATABASE_APP_URL: urls.app,
    DATABASE_SYSTEM_URL: urls.system,
    DATABASE_POOL_MAX: '2',
    CLICKHOUSE_URL: inject('clickhouseUrl'),
    AUTH_JWT_SECRET: TEST_SECRET,
    ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    ORGANIZATION_ID: organizationId,
  };
  return {
    systemUrl: urls.system,
    query,
    startProcess: now => startProcess({ ...env, NOW_MS: String(Date.parse(now)) }),
    async seen() {
      const rows = await query('SELECT pid, job, what FROM seen ORDER BY number');
      return rows as { pid: number; job: string; what: string }[];
    },
    release: async name => void (await query('INSERT INTO released VALUES ($1)', [name])),
  };
}

async function startProcess(env: Record<string, string>): Promise<JobsProcess> {
  const child = fork(join(import.meta.dirname, 'jobs-program.ts'), [], {
    env,
    execArgv: [...QUICK_START_ARGS],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream! }).on('line', line => lines.push(line));
  children.push(child);
  const tell = (message: ToJobs) => void child.send(message);
  await heard(child, 'started', lines);
  return {
    pid: child.pid!,
    setClock: now => tell({ kind: 'clock', nowMs: Date.parse(now) }),
    async ask(job, name, { fails = false } = {}) {
      const asked = heard(child, 'asked', lines);
      tell({ kind: 'ask', job, data: { name }, fails });
      await asked;
    },
    async stop() {
      const gone = once(child, 'exit');
      tell({ kind: 'stop' });
      await gone;
    },
    async kill9() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function heard(child: ChildProcess, kind: string, lines: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => {
      if ((message as { kind?: string }).kind !== kind) return;
      child.off('message', onMessage);
      resolve();
    };
    child.on('message', onMessage);
    child.once('exit', () => reject(new Error(`the process ended:\n${lines.join('\n')}`)));
  });
}
