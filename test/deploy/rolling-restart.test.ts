// Two ingest and two API nodes behind nginx with deploy/nginx.conf. Nodes are restarted one after the
// other under load, and no request may fail.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../embedded/ports.ts';
import { type ApiProcess, startApi } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { batchText, eventOf, newMessageId } from '../harness/batch.ts';
import { expectAccepted, JSON_TYPE, postEvents, untilKnown } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import { type Answer, keepAlive, send } from '../harness/http.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { hasProgram, type Nginx, startNginx } from '../harness/nginx.ts';
import { storedEvents } from '../harness/stored-events.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';
import { rows } from '../harness/warehouse.ts';
import { CAMPAIGN_CREATE, OPEN_MAX, repeat } from './harness/steady-load.ts';

const isLong = process.env.TEST_LONG === '1';
const ROUNDS = isLong ? 2 : 1;
/** The short form waits less, in nginx and in the nodes. */
const NOTICE_MS = isLong ? 4_000 : 800;
const NGINX_IDLE = isLong ? '3s' : '500ms';

const EVENTS_PER_BATCH = 10;
const BATCHES_PER_SECOND = 50;
const QUERIES_PER_SECOND = 20;
const MUTATIONS_PER_SECOND = 10;
const agent = keepAlive(3 * OPEN_MAX);

const FULL_SPOOL_BYTES = 1024 * 1024;
const LARGE = JSON.stringify(
  Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`note${i}`, 'n'.repeat(1_500)])),
);

describe.skipIf(!hasProgram('nginx'))('behind nginx', () => {
  const ingest: IngestProcess[] = [];
  const api: { current: ApiProcess; readonly restart: () => Promise<void> }[] = [];
  let nginx: Nginx;
  let tenant: Tenant;

  beforeAll(async () => {
    await Promise.all([addIngest(), addIngest(), addApi(), addApi()]);
    nginx = await startNginx({
      ingest: ingest.map(portOf),
      api: api.map(({ current }) => portOf(current)),
      edit: conf => conf.replaceAll('keepalive_timeout 3s', `keepalive_timeout ${NGINX_IDLE}`),
    });
    tenant = await createTenant();
    await Promise.all(ingest.map(node => untilKnown(node, tenant.writeKey)));
  });
  afterAll(async () => {
    agent.destroy();
    await nginx?.stop();
    await Promise.all([
      ...ingest.map(node => node.kill9()),
      ...api.map(({ current }) => current.stop()),
    ]);
  });

  async function addIngest(): Promise<void> {
    const env = { INGEST_PORT: String(await freePort()), DRAIN_NOTICE_MS: String(NOTICE_MS) };
    ingest.push(await startIngest({ threads: 1, env }));
  }

  async function addApi(): Promise<void> {
    const env = {
      API_PORT: String(await freePort()),
      DRAIN_NOTICE_MS: String(NOTICE_MS),
      DATABASE_POOL_MAX: '10',
    };
    const node = {
      current: await startApi({ env }),
      async restart() {
        expect(await node.current.stop()).toBe(0);
        node.current = await startApi({ env });
      },
    };
    api.push(node);
  }

  function postBatch(ids: readonly string[]): Promise<Answer> {
    const events = ids.map(id => eventOf(id));
    const body = batchText(tenant.writeKey, events);
    return send(`${nginx.url}/v1/batch`, { body, headers: JSON_TYPE, agent });
  }

  async function postGraphql(token: string, query: string, variables: object): Promise<Answer> {
    const headers = { ...JSON_TYPE, authorization: `Bearer ${token}` };
    const body = JSON.stringify({ query, variables });
    return send(`${nginx.url}/graphql`, { body, headers, agent });
  }

  test('restarts of all nodes fail, lose and double nothing', async () => {
    const token = await tokenFor(tenant.organizationId);
    const failures: string[] = [];
    const [messageIds, names]: [string[], string[]] = [[], []];
    const note = (what: string, answer: Answer) => {
      if (answer.status !== 200 || answer.text.includes('"errors"'))
        failures.push(`${what} ${answer.status} ${answer.text}`);
    };
    const load = [
      repeat(BATCHES_PER_SECOND, failures, async () => {
        const ids = Array.from({ length: EVENTS_PER_BATCH }, newMessageId);
        messageIds.push(...ids);
        note('batch', await postBatch(ids));
      }),
      repeat(QUERIES_PER_SECOND, failures, async () => {
        note('query', await postGraphql(token, '{ viewer { userId } }', {}));
      }),
      repeat(MUTATIONS_PER_SECOND, failures, async () => {
        const name = `campaign ${names.length}`;
        names.push(name);
        note(
          'mutation',
          await postGraphql(token, CAMPAIGN_CREATE, { key: name, input: { name, type: 'BANNER' } }),
        );
      }),
    ];
    for (let round = 0; round < ROUNDS; round++)
      await Promise.all([
        oneAfterTheOther(ingest, async node => {
          expect(await node.stop()).toEqual({ code: 0, signal: null });
          await node.restart();
        }),
        oneAfterTheOther(api, node => node.restart()),
      ]);
    await Promise.all(load.map(part => part.stop()));

    expect(failures, nginx.errors()).toEqual([]);
    const created = await sql('SELECT name FROM campaigns WHERE workspace_id = $1', [
      tenant.workspaceId,
    ]);
    expect(created.map(({ name }) => String(name)).sort()).toEqual(names.sort());
    const sent = messageIds.sort();
    await eventually(async () => expect(await storedIds(sent.length)).toEqual(sent));
  });

  test('a node with a full spool has its requests served by another, and nothing is doubled', async () => {
    const full = await startIngest({
      threads: 1,
      env: { CLICKHOUSE_URL: 'http://127.0.0.1:1', SPOOL_MAX_BYTES: String(FULL_SPOOL_BYTES) },
    });
    const both = await startNginx({
      ingest: [portOf(full), portOf(ingest[0]!)],
      api: api.map(({ current }) => portOf(current)),
    });
    try {
      await untilKnown(full, tenant.writeKey);
      const large = () => eventOf(newMessageId(), { properties: LARGE });
      const fill = async () => {
        expect((await postEvents(full, tenant.writeKey, [large()])).status).toBe(502);
      };
      await eventually(fill, { intervalMs: 0 });
      const ids = Array.from({ length: 20 }, newMessageId);
      for (const id of ids)
        expectAccepted(await postEvents(both, tenant.writeKey, [eventOf(id)]), 1);
      expect((await postEvents(full, tenant.writeKey, [eventOf(newMessageId())])).status).toBe(502);
      await storedEvents(tenant.workspaceId, ids);
    } finally {
      await both.stop();
      await full.kill9();
    }
  });

  /** The IDs of the events in the view, a doubled one twice. */
  async function storedIds(least: number): Promise<string[]> {
    const { workspaceId } = tenant;
    const [raw] = await rows<{ ids: string }>(
      'SELECT uniqExact(message_id) AS ids FROM events_raw WHERE workspace_id = {workspaceId:UUID}',
      { workspaceId },
    );
    expect(Number(raw!.ids)).toBeGreaterThanOrEqual(least);
    const found = await rows<{ message_id: string }>(
      `SELECT message_id FROM events WHERE workspace_id = {workspaceId:UUID}`,
      { workspaceId },
    );
    return found.map(row => row.message_id).sort();
  }
});

function portOf({ url }: { readonly url: string }): number {
  return Number(new URL(url).port);
}

async function oneAfterTheOther<T>(
  all: readonly T[],
  act: (one: T) => Promise<void>,
): Promise<void> {
  for (const one of all) await act(one);
}
