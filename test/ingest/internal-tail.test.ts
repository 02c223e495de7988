// The events of a watched workspace, as ingest returns them to the control plane.

import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { batchText, eventText } from '../harness/batch.ts';
import { eventually } from '../harness/eventually.ts';
import { send } from '../harness/http.ts';
import { useIngest } from '../harness/ingest-process.ts';
import { INTERNAL_TOKEN } from '../harness/internal.ts';
import { onEveryThread } from '../harness/on-every-thread.ts';
import { createTenant, type Tenant } from '../harness/tenant.ts';

const ingest = useIngest({ env: { INTERNAL_TOKEN } });

type Tail = {
  readonly cursor: string;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly entries: readonly Record<string, unknown>[];
};

async function tail(workspaceId: string, after = '', token = INTERNAL_TOKEN) {
  const query = new URLSearchParams({ workspace_id: workspaceId, after }).toString();
  return send(`${ingest().url}/internal/tail?${query}`, {
    method: 'GET',
    headers: { authorization: `Bearer ${token}` },
  });
}

async function ask({ workspaceId }: Tenant, after = ''): Promise<Tail> {
  const answer = await tail(workspaceId, after);
  expect(answer.status, answer.text).toBe(200);
  return answer.json() as unknown as Tail;
}

/** Returns a tenant that every thread knows. */
async function newTenant(): Promise<Tenant> {
  const tenant = await createTenant();
  await eventually(() =>
    onEveryThread(async () => {
      expect((await tail(tenant.workspaceId, '')).status).toBe(200);
    }),
  );
  return tenant;
}

function post(tenant: Tenant, events: readonly string[]) {
  return send(`${ingest().url}/v1/batch`, {
    headers: { 'content-type': 'application/json' },
    body: batchText(tenant.writeKey, events),
  });
}

test.concurrent('events after the first poll are returned, including rejected ones', async () => {
  const tenant = await newTenant();
  const { cursor, ...start } = await ask(tenant);
  const id = uuidv7();
  const events = [
    eventText({ messageId: `"${id}"`, userId: '"user-1"', properties: '{"n": 1.0}' }),
    eventText({ messageId: `"${id}"` }),
    eventText({ event: '"Too Early"', timestamp: '"yesterday"' }),
  ];
  await post(tenant, events);
  const seen: Record<string, unknown>[] = [];
  let last = { ...start, cursor };
  while (seen.length < 3) {
    last = await ask(tenant, last.cursor);
    seen.push(...last.entries);
  }
  expect(last.accepted - start.accepted).toBe(2);
  expect(last.duplicates - start.duplicates).toBe(1);
  expect(last.rejected - start.rejected).toBe(1);
  expect(seen[0]).toMatchObject({
    type: 'track',
    name: 'Order Completed',
    messageId: id,
    userId: 'user-1',
    keyId: tenant.keyId,
    text: events[0],
    textBytes: Buffer.byteLength(events[0]!),
    index: 0,
  });
  expect(seen[0]).not.toHaveProperty('refusal');
  expect(seen[2]).toMatchObject({
    name: 'Too Early',
    refusal: { code: 'INVALID_TIMESTAMP' },
    index: 2,
    text: events[2],
  });
});
