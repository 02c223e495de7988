// Ingest starts, stops and starts again, with clients that never pause.

import { expect, inject, test } from 'vitest';
import { batchText, eventOf, newMessageId } from '../harness/batch.ts';
import { expectAccepted, liveTenant, post, postEvents } from '../harness/batch-client.ts';
import { deadAddress } from '../harness/dead-address.ts';
import { eventually } from '../harness/eventually.ts';
import { keepAlive, send } from '../harness/http.ts';
import { type IngestProcess, isReady, startIngest } from '../harness/ingest-process.ts';
import { storedEvents } from '../harness/stored-events.ts';
import { createTenant, type Tenant } from '../harness/tenant.ts';
import { countEvents, rows } from '../harness/warehouse.ts';

const CLIENTS = 16;
const EVENTS_PER_BATCH = 20;
const STOP_MS_MAX = 30_000;

type Load = { readonly acknowledged: Set<string>; readonly sent: Set<string>; done: Promise<void> };

/** Clients that send until the server refuses their requests. */
function load(node: IngestProcess, tenant: Tenant): Load {
  const { url } = node;
  const [acknowledged, sent] = [new Set<string>(), new Set<string>()];
  const agent = keepAlive(CLIENTS);
  const clients = Array.from({ length: CLIENTS }, async () => {
    for (;;) {
      const ids = Array.from({ length: EVENTS_PER_BATCH }, newMessageId);
      const events = ids.map(id => eventOf(id, { properties: `{"id":"${id}"}` }));
      for (const id of ids) sent.add(id);
      const body = batchText(tenant.writeKey, events);
      const headers = { 'content-type': 'application/json' };
      const answer = await send(`${url}/v1/batch`, { body, headers, agent }).catch(() => undefined);
      if (answer === undefined) return;
      // 503 ends the client; any other status except 200 is a failure.
      if (answer.status === 503) return;
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      for (const id of ids) acknowledged.add(id);
    }
  });
  const done = Promise.all(clients).then(() => agent.destroy());
  return { acknowledged, sent, done };
}

/** Every acknowledged event is stored once, every unanswered one at most once. */
async function expectKept(tenant: Tenant, { acknowledged, sent }: Load): Promise<void> {
  const counts = await eventually(
    async () => {
      const found = await rows<{ message_id: string; copies: string; same: number }>(
        `SELECT message_id, count() AS copies,
                min(JSONExtractString(properties, 'id') = message_id) AS same
         FROM events WHERE workspace_id = {workspaceId:UUID} GROUP BY message_id`,
        { workspaceId: tenant.workspaceId },
      );
      const known = new Set(found.map(row => row.message_id));
      const missing = [...acknowledged].filter(id => !known.has(id));
      expect(missing).toEqual([]);
      return found;
    },
    { intervalMs: 500 },
  );
  for (const { message_id, copies, same } of counts) {
    expect(Number(copies), message_id).toBe(1);
    expect(Boolean(same), message_id).toBe(true);
    expect(sent.has(message_id)).toBe(true);
  }
}

test('SIGTERM under load: not ready, drained, exit 0, and nothing acknowledged is lost', async () => {
  const node = await startIngest();
  try {
    const tenant = await liveTenant(node);
    const running = load(node, tenant);
    await eventually(() => expect(running.acknowledged.size).toBeGreaterThan(2_000), {
      intervalMs: 10,
    });
    const startedAt = performance.now();
    const exit = await node.stop();
    await running.done;
    expect(exit).toEqual({ code: 0, signal: null });
    expect(performance.now() - startedAt).toBeLessThan(STOP_MS_MAX);
    await node.restart();
    expect(await isReady(node)).toBe(true);
    await expectKept(tenant, running);
  } finally {
    await node.stop();
  }
});

test('SIGTERM with an unavailable warehouse: exits in time, and the next start delivers', async () => {
  const dead = await deadAddress();
  const node = await startIngest({ env: { CLICKHOUSE_URL: `http://${dead.hostPort}` } });
  try {
    const tenant = await liveTenant(node);
    const running = load(node, tenant);
    await eventually(() => expect(running.acknowledged.size).toBeGreaterThan(1_000), {
      intervalMs: 10,
    });
    expect(await node.stop()).toEqual({ code: 0, signal: null });
    await running.done;
    expect(await countEvents(tenant.workspaceId)).toBe(0);
    await node.restart({ CLICKHOUSE_URL: inject('clickhouseUrl') });
    await expectKept(tenant, running);
  } finally {
    await node.stop();
    await dead.close();
  }
});

test('consecutive restarts, each with a different number of threads', async () => {
  const node = await startIngest({ threads: 2 });
  try {
    const tenant = await liveTenant(node);
    const ids: string[] = [];
    for (const threads of ['1', '3', '1', '2']) {
      const more = Array.from({ length: 50 }, newMessageId);
      expectAccepted(
        await postEvents(
          node,
          tenant.writeKey,
          more.map(id => eventOf(id)),
        ),
        50,
      );
      ids.push(...more);
      expect((await node.stop()).code).toBe(0);
      await node.restart({ INGEST_THREADS: threads });
    }
    await storedEvents(tenant.workspaceId, ids);
    expect(await countEvents(tenant.workspaceId)).toBe(200);
  } finally {
    await node.stop();
  }
});

test('a retry after a restart does not create a second event', async () => {
  const node = await startIngest();
  try {
    const tenant = await liveTenant(node);
    const ids = Array.from({ length: 20 }, newMessageId);
    const events = ids.map(id => eventOf(id));
    expectAccepted(await postEvents(node, tenant.writeKey, events), 20);
    await node.stop();
    await node.restart();
    const marker = newMessageId();
    expectAccepted(await postEvents(node, tenant.writeKey, [...events, eventOf(marker)]), 21);
    await storedEvents(tenant.workspaceId, [...ids, marker]);
    expect(await countEvents(tenant.workspaceId)).toBe(21);
  } finally {
    await node.stop();
  }
});

test('two nodes serve the same tenant at the same time', async () => {
  const nodes = await Promise.all([startIngest(), startIngest()]);
  try {
    const tenant = await createTenant();
    const ids: string[] = [];
    await Promise.all(
      nodes.map(async node => {
        const more = Array.from({ length: 100 }, newMessageId);
        const body = batchText(
          tenant.writeKey,
          more.map(id => eventOf(id)),
        );
        await eventually(async () => expectAccepted(await post(node, body), 100));
        ids.push(...more);
      }),
    );
    await storedEvents(tenant.workspaceId, ids);
    expect(await countEvents(tenant.workspaceId)).toBe(200);
  } finally {
    await Promise.all(nodes.map(node => node.stop()));
  }
});
