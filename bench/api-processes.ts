// The API, as run by `npm start`, and the bare server, each in a separate process.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { API_NODE_ARGS } from '../embedded/api-node-args.ts';
import { signToken } from '../embedded/sign-token.ts';
import { DEFAULT_AUDIENCE, DEFAULT_ISSUER } from '../graphql-api/app/auth-config.ts';
import type { BareAnswers, BareReport } from './bare-yoga.ts';
import type { Stack } from './stack.ts';

export type LoadedServer = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pid: number;
  /** The CPU time of the server's process so far. */
  readonly cpuSeconds: () => Promise<number>;
  readonly stop: () => Promise<void>;
};

const ROOT = join(import.meta.dirname, '..');
const JSON_TYPE = { 'content-type': 'application/json' };
const SECRET = 'of-a-bench-for-as-long-as-it-runs';
const TOKEN_TTL_SECONDS = 3_600;
/** High enough that no request is throttled. */
const RATE_POINTS_PER_SECOND = '1000000000';

/** With one pool connection per concurrent request. */
export async function startApi(
  { databaseUrls, clickhouseUrl, tenant }: Stack,
  connections: number,
  execArgv: readonly string[] = [],
): Promise<LoadedServer> {
  const child = fork(join(ROOT, 'graphql-api', 'app', 'main.ts'), [], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      API_HOST: '127.0.0.1',
      API_PORT: '0',
      API_OPERATIONS_PORT: '0',
      DATABASE_APP_URL: databaseUrls.app,
      DATABASE_SYSTEM_URL: databaseUrls.system,
      DATABASE_POOL_MAX: String(connections),
      CLICKHOUSE_URL: clickhouseUrl,
      INGEST_URL: 'http://127.0.0.1:1',
      INTERNAL_TOKEN: SECRET,
      AUTH_JWT_SECRET: SECRET,
      ENCRYPTION_KEYS: `bench:${Buffer.alloc(32, 1).toString('base64')}`,
      RATE_POINTS_PER_SECOND,
    },
    execArgv: [...API_NODE_ARGS, ...execArgv],
    // Log lines are written, as in production, but discarded.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { port, operationsPort } = (await firstMessage(child)) as {
    port: number;
    operationsPort: number;
  };
  const url = `http://127.0.0.1:${port}`;
  const { organizationId, workspaceId } = tenant;
  const token = await signToken({
    secret: SECRET,
    issuer: DEFAULT_ISSUER,
    audience: DEFAULT_AUDIENCE,
    userId: 'bench',
    organizationId,
    workspaceId,
    roles: ['owner'],
    ttlSeconds: TOKEN_TTL_SECONDS,
  });
  return {
    url: `${url}/graphql`,
    headers: { ...JSON_TYPE, authorization: `Bearer ${token}` },
    pid: child.pid!,
    cpuSeconds: async () => {
      const text = await (await fetch(`http://127.0.0.1:${operationsPort}/metrics`)).text();
      return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
    },
    stop: () => stop(child),
  };
}

export async function startBare(answers: BareAnswers): Promise<LoadedServer> {
  const child = fork(join(import.meta.dirname, 'bare-yoga.ts'), [], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const report = async (message: unknown) => {
    child.send(message as object);
    const [answer] = (await once(child, 'message')) as [BareReport];
    return answer;
  };
  const { port } = (await report(answers)) as { port: number };
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    headers: JSON_TYPE,
    pid: child.pid!,
    cpuSeconds: async () => ((await report({})) as { cpuSeconds: number }).cpuSeconds,
    stop: () => stop(child),
  };
}

async function firstMessage(child: ChildProcess): Promise<unknown> {
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`An API process exited at start: ${code}`);
  });
  const [message] = await Promise.race([once(child, 'message'), gone]);
  return message;
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
