// The product's guarantee at scale: every event is sent twice, in any order, over many connections,
// and stored once, equal to the sent event.

import { expect, test } from 'vitest';
import { batchText, EVENTS_MAX, realisticEvent, realisticEventText } from '../harness/batch.ts';
import { liveTenant, post } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import { type ExpectedRow, expectedRow } from '../harness/expected-row.ts';
import { keepAlive } from '../harness/http.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { createRandom } from '../harness/random.ts';
import type { Tenant } from '../harness/tenant.ts';
import { countEvents, rows, warehouse } from '../harness/warehouse.ts';

const EVENTS = 100_000;
const CONNECTIONS = 32;
const COPIES = 2;

const ingest = useSharedIngest();

test('100,000 events, each sent twice and out of order, are stored once and unchanged', async () => {
  const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 1_000_000) + 1);
  const tenant = await liveTenant(ingest());
  await sendAll(tenant, seed);
  await eventually(
    async () => expect(await countEvents(tenant.workspaceId)).toBeGreaterThanOrEqual(EVENTS),
    { intervalMs: 1_000 },
  );
  expect(await countEvents(tenant.workspaceId), `seed ${seed}`).toBe(EVENTS);
  await expectUnchanged(tenant, seed);
  const [refused] = await rows<{ found: string }>(
    'SELECT count() AS found FROM rejected_events WHERE workspace_id = {workspaceId:UUID}',
    { workspaceId: tenant.workspaceId },
  );
  expect(Number(refused?.found)).toBe(0);
});

async function sendAll(tenant: Tenant, seed: number): Promise<void> {
  const batches = EVENTS / EVENTS_MAX;
  const plan = Array.from({ length: batches * COPIES }, (_, i) => i % batches);
  createRandom(seed).shuffle(plan);
  const agent = keepAlive(CONNECTIONS);
  let next = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (next < plan.length) {
        const batch = plan[next++]!;
        const events = Array.from({ length: EVENTS_MAX }, (_, i) =>
          realisticEventText(realisticEvent(seed, batch * EVENTS_MAX + i)),
        );
        const answer = await post(ingest(), batchText(tenant.writeKey, events), { agent });
        if (answer.status !== 200)
          throw new Error(`batch ${batch}: ${answer.status} ${answer.text}`);
        expect(answer.json()).toEqual({ status: 'SUCCESS', accepted: EVENTS_MAX });
      }
    }),
  );
  agent.destroy();
}

/** Streams every row, recreates its event from its number, and compares all columns. */
async function expectUnchanged(tenant: Tenant, seed: number): Promise<void> {
  const result = await warehouse().query({
    query: `SELECT message_id, type, event, name, timestamp, timestamp_text, anonymous_id, user_id,
                   session_id, properties, traits, context, extra, batch_context, batch_extra,
                   toString(sdk_key_id) AS sdk_key_id
            FROM events WHERE workspace_id = {workspaceId:UUID}`,
    query_params: { workspaceId: tenant.workspaceId },
    format: 'JSONEachRow',
  });
  const seen = new Uint8Array(EVENTS);
  for await (const chunk of result.stream<ExpectedRow>()) {
    for (const item of chunk) {
      const row = item.json<ExpectedRow>();
      const number = Number(row.message_id.split('-')[1]);
      seen[number]!++;
      const expected = expectedRow(realisticEvent(seed, number), tenant);
      // Compares text first: 100,000 deep comparisons would take longer than sending the events.
      if (JSON.stringify(pick(row, expected)) !== JSON.stringify(expected)) {
        expect(row, `seed ${seed}`).toEqual(expected);
      }
    }
  }
  expect(seen.every(count => count === 1)).toBe(true);
}

function pick(row: ExpectedRow, like: ExpectedRow): Record<string, string | undefined> {
  return Object.fromEntries(Object.keys(like).map(name => [name, row[name]]));
}
