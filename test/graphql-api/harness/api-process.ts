// A real API process: one per test file, or one shared by the files of a run.

import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { API_NODE_ARGS } from '../../../embedded/api-node-args.ts';
import { engines } from '../../harness/engines.ts';
import { apiEnvironment } from '../../harness/environments.ts';
import { eventually } from '../../harness/eventually.ts';
import { type Answer, type Request, send } from '../../harness/http.ts';
import { startProgram } from '../../harness/program.ts';
import { isUnavailable, whenAvailable } from './when-available.ts';

const API = 'graphql-api/app/main.ts';

export type ApiOptions = {
  readonly isReadinessAwaited?: boolean;
  /** Whether requests that are refused as unavailable are repeated; true by default. */
  readonly areRefusalsRepeated?: boolean;
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

/** The operations of any API process. */
export type Api = {
  readonly url: string;
  /** Checks nothing: any status, with or without errors. Only requests refused as unavailable are
   * repeated. */
  graphql(document: string, options?: GraphqlOptions): Promise<GraphqlAnswer>;
  /** Sends a GET by default. */
  rest(path: string, options?: Request & { readonly token?: string }): Promise<Answer>;
};

export type ApiProcess = Api & {
  readonly pid: number;
  isRunning(): boolean;
  logs(): string;
  /** Recent log lines, parsed. */
  logLines(): readonly Record<string, unknown>[];
  stop(): Promise<number | null>;
};

/** One process for all tests of a file. If the process dies during a test, the test fails. */
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

/**
 * The API process shared by all test files of a run. It is started once; a test that stops it or
 * reads its log needs its own process.
 */
export function useSharedApi({
  areRefusalsRepeated,
}: Pick<ApiOptions, 'areRefusalsRepeated'> = {}): () => Api {
  return () => apiAt(inject('apiUrl'), areRefusalsRepeated);
}

export async function startApi(options: ApiOptions = {}): Promise<ApiProcess> {
  const program = await startProgram(API, environment(options), API_NODE_ARGS);
  const api: ApiProcess = {
    ...apiAt(`http://127.0.0.1:${program.port}`, options.areRefusalsRepeated),
    pid: program.pid,
    isRunning: () => program.isRunning(),
    logs: () => program.lines.join('\n'),
    logLines: () => program.lines.flatMap(parseLine),
    stop: async () => (await program.end('SIGTERM')).code,
  };
  if (options.isReadinessAwaited ?? true) await untilReady(api);
  return api;
}

/** A process that is running. See `ApiOptions` for the repetition. */
export function apiAt(url: string, areRefusalsRepeated = true): Api {
  const answerOf = <T extends Answer>(ask: () => Promise<T>) =>
    areRefusalsRepeated ? whenAvailable(ask, isUnavailable) : ask();
  return {
    url,
    graphql: (document, query) => answerOf(() => graphql(url, document, query)),
    rest: (path, { token, headers, ...request } = {}) =>
      answerOf(() =>
        send(`${url}${path}`, {
          method: 'GET',
          ...request,
          headers: { ...bearer(token), ...headers },
        }),
      ),
  };
}

function environment({ env = {} }: ApiOptions): Record<string, string> {
  return {
    ...apiEnvironment(engines()),
    // In production, a stop would wait for a proxy.
    ...(env.NODE_ENV === 'production' && {
      API_OPERATIONS_PORT: '0',
      WEBHOOK_ALLOW_LOOPBACK: '0',
      DRAIN_NOTICE_MS: '0',
    }),
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

function parseLine(line: string): Record<string, unknown>[] {
  try {
    return [JSON.parse(line) as Record<string, unknown>];
  } catch {
    return [];
  }
}
