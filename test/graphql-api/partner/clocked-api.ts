// The control plane over HTTP in this process, with its own database (its jobs process all wallets)
// and a clock that only the test advances.

import type { AddressInfo } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { createContext } from '../../../graphql-api/platform/context.ts';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import type { Job } from '../../../graphql-api/platform/jobs/job.ts';
import type { Role } from '../../../graphql-api/platform/viewer.ts';
import { type Answer, send } from '../../harness/http.ts';
import { ownDatabase } from '../../harness/own-database.ts';
import { sql } from '../../harness/tenant.ts';
import { createDeps, type TestDeps } from '../harness/deps.ts';
import { listen } from '../harness/listen.ts';
import { tokenFor } from '../harness/tokens.ts';

/** The time of the daily release, so that a hold of whole days ends with a release. */
export const START_MS = Date.UTC(2026, 0, 10, 2);
const DAY_MS = 24 * 60 * 60 * 1000;
/** The clock of a test advances by years while its tokens stay the same. */
const TOKEN_SECONDS = 20 * 365 * 24 * 60 * 60;

type Json = Record<string, unknown>;

/** A user with a token. */
export type Caller = {
  readonly organizationId: string;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  readonly post: (
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
  /** Runs a document, which must have no errors. */
  readonly graph: (document: string, variables?: Json) => Promise<Json>;
  /**
   * Returns the payload of a mutation, including its errors. `$input` is its input, if it has one.
   */
  readonly mutate: (name: string, shown: string, variables?: MutationVariables) => Promise<Json>;
};

export type MutationVariables = {
  readonly id?: string;
  readonly input?: Json;
  readonly key?: string;
};

export type ClockedApi = {
  readonly url: string;
  readonly deps: TestDeps;
  /** The URL of the database, for harness functions that need one. */
  readonly ownerUrl: string;
  /** Runs a statement as the owner of the tables. */
  readonly sql: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  readonly setClock: (iso: string) => void;
  readonly advanceDays: (days: number) => void;
  readonly today: () => string;
  /** Runs the job immediately, like the queue does. */
  readonly runJob: (job: Job) => Promise<void>;
  readonly organization: (name?: string) => Promise<string>;
  readonly caller: (organizationId: string, role?: Role) => Promise<Caller>;
  /** The owner of a new organization. */
  readonly owner: () => Promise<Caller>;
  readonly admin: () => Promise<Caller>;
};

/** `env` is called when the other processes of the file are running. */
export function useClockedApi(
  env: () => Readonly<Record<string, string>> = () => ({}),
): () => ClockedApi {
  let api: ClockedApi | undefined;
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const urls = await ownDatabase();
    const app = new URL(inject('databaseUrls').app);
    app.pathname = new URL(urls.owner).pathname;
    const deps = await createDeps({
      DATABASE_APP_URL: app.href,
      DATABASE_SYSTEM_URL: urls.system,
      ...env(),
    });
    closing.push(() => deps.database.close());
    closing.push(() => deps.warehouses.close());
    deps.clock.setMs(START_MS);
    const server = await listen(deps);
    closing.push(() => new Promise(resolve => server.close(resolve)));
    const { port } = server.address() as AddressInfo;
    api = createApi(deps, `http://127.0.0.1:${port}`, urls.owner);
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });
  return () => {
    if (api === undefined) throw new Error('the API starts in beforeAll; use it in tests only');
    return api;
  };
}

function createApi(deps: TestDeps, url: string, ownerUrl: string): ClockedApi {
  const query: ClockedApi['sql'] = (text, values = []) => sql(text, values, ownerUrl);
  const { clock } = deps;
  async function organization(name?: string): Promise<string> {
    const id = uuidv7();
    const named = name ?? `Organisation ${id}`;
    await query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [id, named]);
    return id;
  }
  const caller: ClockedApi['caller'] = async (organizationId, role = 'owner') =>
    callerOf(
      url,
      organizationId,
      await tokenFor(organizationId, { roles: [role], ttlSeconds: TOKEN_SECONDS }),
    );
  return {
    url,
    deps,
    ownerUrl,
    sql: query,
    setClock: iso => clock.setMs(Date.parse(iso)),
    advanceDays: days => clock.setMs(clock.nowMs() + days * DAY_MS),
    today: () => new Date(clock.nowMs()).toISOString().slice(0, 10),
    async runJob(job) {
      const context = createContext(deps, uuidv7(), undefined);
      const dueAt = new Date(clock.nowMs()).toISOString();
      await job.run(context, { dueAt }, new AbortController().signal);
    },
    organization,
    caller,
    owner: async () => caller(await organization()),
    admin: async () => caller(await organization(), 'platform_admin'),
  };
}

function callerOf(url: string, organizationId: string, token: string): Caller {
  const authorization = { authorization: `Bearer ${token}` };
  const graphql = async (document: string, variables: Json) =>
    send(`${url}/graphql`, {
      headers: { 'content-type': 'application/json', ...authorization },
      body: JSON.stringify({ query: document, variables }),
    });
  const graph: Caller['graph'] = async (document, variables = {}) => {
    const answer = await graphql(document, variables);
    const body = answer.json() as { data?: Json; errors?: unknown };
    expect(body.errors, answer.text).toBeUndefined();
    return body.data!;
  };
  return {
    organizationId,
    get: (path, headers) =>
      send(`${url}${path}`, { method: 'GET', headers: { ...authorization, ...headers } }),
    post: (path, body, headers) =>
      send(`${url}${path}`, {
        headers: {
          ...authorization,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    graph,
    async mutate(name, shown, { id, input, key } = {}) {
      const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input!`;
      const declared = [id && '$id: ID!', input && `$input: ${type}`].filter(Boolean).join(', ');
      const passed = [id && 'id: $id', input && 'input: $input'].filter(Boolean).join(', ');
      const directive = key === undefined ? '' : `@idempotent(key: ${JSON.stringify(key)})`;
      const document = `mutation (${declared}) {
        ${name}(${passed}) ${directive} { ${shown} userErrors { code field message } }
      }`.replaceAll('()', '');
      return (await graph(document, { id, input }))[name] as Json;
    },
  };
}

export function organizationNode({ organizationId }: Pick<Caller, 'organizationId'>): string {
  return encodeNodeId('Organization', organizationId);
}

/** The date (`YYYY-MM-DD`) this number of days later. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
