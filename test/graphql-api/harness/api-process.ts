// A real API process for a test file, with a pool of 2, so that whoever holds a connection while it
// waits for another one stops.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { API_NODE_ARGS } from '../../../embedded/api-node-args.ts';
import { eventually } from '../../harness/eventually.ts';
import { type Answer, type Request, send } from '../../harness/http.ts';
import { QUICK_START_ARGS, quickStartEnvironment } from '../../harness/quick-start.ts';
import { RUN_DIRECTORY_VARIABLE } from '../../harness/run-directory-variable.ts';
import { TEST_SECRET } from './tokens.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const START_TIMEOUT_MS = 40_000;
/** What the API promises: SIGTERM to exit. The rest is for a busy machine. */
const STOP_TIMEOUT_MS = 30_000 + 5_000;
const LOG_LINES_MAX = 400;
export const TEST_ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;

export type ApiOptions = {
  readonly isReadinessAwaited?: boolean;
  readonly env?: Readonly<Record<string, string>>;
};

export type GraphqlAnswer = Answer & {
  readonly data: Record<string, unknown> | null | undefined;
  readonly errors: readonly GraphqlError[] | undefined;
  readonly extensions: Record<string, unknown> | undefined;
};

export type GraphqlError = {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Record<string, unknown>;
};

export type GraphqlOptions = {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type ApiProcess = {
  readonly url: string;
  readonly pid: number;
  isRunning(): boolean;
  logs(): string;
  /** The JSON lines that it wrote lately. */
  logLines(): readonly Record<string, unknown>[];
  /** Nothing checked: a status may be any, errors may be there. */
  graphql(document: string, options?: GraphqlOptions): Promise<GraphqlAnswer>;
  /** GET unless the options say otherwise. */
  rest(path: string, options?: Request & { readonly token?: string }): Promise<Answer>;
  stop(): Promise<number | null>;
};

/** One process for all tests of a file. Each test fails if the process dies under it. */
export function useApi(options: ApiOptions = {}): () => ApiProcess {
  let api: ApiProcess | undefined;
  beforeAll(async () => {
    api = await startApi(options);
  });
  afterEach(() => {
    if (!api?.isRunning()) throw new Error(`the API died:\n${api?.logs()}`);
  });
  afterAll(async () => {
    await api?.stop();
  });
  return () => {
    if (api === undefined) throw new Error('the API starts in beforeAll; use it in tests only');
    return api;
  };
}

export async function startApi(options: ApiOptions = {}): Promise<ApiProcess> {
  const lines: string[] = [];
  const child = fork(join(ROOT, 'graphql-api', 'app', 'main.ts'), [], {
    cwd: ROOT,
    env: environment(options),
    execArgv: [...API_NODE_ARGS, ...QUICK_START_ARGS],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream! }).on('line', line => {
      lines.push(line);
      if (lines.length > LOG_LINES_MAX) lines.shift();
    });
  }
  const url = `http://127.0.0.1:${await listeningPort(child, lines)}`;
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const api: ApiProcess = {
    url,
    pid: child.pid!,
    isRunning,
    logs: () => lines.join('\n'),
    logLines: () => lines.flatMap(parseLine),
    graphql: (document, query) => graphql(url, document, query),
    rest: (path, { token, headers, ...request } = {}) =>
      send(`${url}${path}`, {
        method: 'GET',
        ...request,
        headers: { ...bearer(token), ...headers },
      }),
    async stop() {
      if (!isRunning()) return child.exitCode;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await gone.finally(() => clearTimeout(late));
      return child.exitCode;
    },
  };
  if (options.isReadinessAwaited ?? true) await untilReady(api);
  return api;
}

function environment({ env = {} }: ApiOptions): Record<string, string> {
  const { app, system } = inject('databaseUrls');
  return {
    PATH: process.env.PATH ?? '',
    [RUN_DIRECTORY_VARIABLE]: inject('runDirectory'),
    ...quickStartEnvironment(inject('runDirectory')),
    API_HOST: '127.0.0.1',
    API_PORT: '0',
    DATABASE_APP_URL: app,
    DATABASE_SYSTEM_URL: system,
    DATABASE_POOL_MAX: '2',
    CLICKHOUSE_URL: inject('clickhouseUrl'),
    AUTH_JWT_SECRET: TEST_SECRET,
    ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    // Nobody is there: no test ever calls the real one.
    GATEWAY_BASE_URL: 'http://127.0.0.1:2/pg',
    // Whichever process sends them, receivers of tests are on this machine; production refuses that.
    WEBHOOK_ALLOW_LOOPBACK: env.NODE_ENV === 'production' ? '0' : '1',
    ...env,
  };
}

async function untilReady(api: ApiProcess): Promise<void> {
  try {
    await eventually(async () => expect((await api.rest('/readyz')).status).toBe(200), {
      intervalMs: 10,
    });
  } catch (error) {
    await api.stop();
    throw new Error(`the API did not get ready. Its log:\n${api.logs()}`, { cause: error });
  }
}

async function graphql(
  url: string,
  query: string,
  { variables = {}, token, headers = {} }: GraphqlOptions = {},
): Promise<GraphqlAnswer> {
  const answer = await send(`${url}/graphql`, {
    headers: { 'content-type': 'application/json', ...bearer(token), ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const body = answer.json() as Partial<GraphqlAnswer>;
  const { data, errors, extensions } = body;
  return { ...answer, data, errors, extensions };
}

function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

async function listeningPort(child: ChildProcess, lines: readonly string[]): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<number>((resolve, reject) => {
      child.on('message', message => {
        const { kind, port } = message as { kind?: string; port?: number };
        if (kind === 'listening' && port !== undefined) resolve(port);
      });
      child.once('error', reject);
      child.once('exit', (code, signal) => reject(new Error(`exited: ${code ?? signal}`)));
      timer = setTimeout(() => reject(new Error('said nothing in time')), START_TIMEOUT_MS);
    });
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`the API did not start. Its log:\n${lines.join('\n')}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function parseLine(line: string): Record<string, unknown>[] {
  try {
    return [JSON.parse(line) as Record<string, unknown>];
  } catch {
    return [];
  }
}
