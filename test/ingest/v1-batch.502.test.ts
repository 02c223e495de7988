import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { batchText, eventOf, eventText, newMessageId } from '../harness/batch.ts';
import {
  expectAccepted,
  expectProblem,
  liveTenant,
  post,
  postEvents,
} from '../harness/batch-client.ts';
import { deadAddress } from '../harness/dead-address.ts';
import { eventually } from '../harness/eventually.ts';
import type { Answer } from '../harness/http.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { storedEvent, storedEvents } from '../harness/stored-events.ts';
import { sql } from '../harness/tenant.ts';
import { countEvents, rows } from '../harness/warehouse.ts';

/** A cell with the warehouse of this test run, and one whose warehouse is unavailable. */
const suffix = randomBytes(4).toString('hex');
const CELL = { slug: `near-${suffix}`, isEnabled: true };
const OFF = { slug: `off-${suffix}`, isEnabled: false };
const AWAY = { slug: `away-${suffix}`, isEnabled: true };
const NOWHERE = { slug: `nowhere-${suffix}`, isEnabled: true };

let ingest: IngestProcess;
let dead: Awaited<ReturnType<typeof deadAddress>>;
beforeAll(async () => {
  dead = await deadAddress();
  // A single thread, so that a change visible to one request is visible to all.
  ingest = await startIngest({
    threads: 1,
    env: {
      [urlVariable(CELL.slug)]: inject('clickhouseUrl'),
      [urlVariable(OFF.slug)]: inject('clickhouseUrl'),
      [urlVariable(AWAY.slug)]: `http://${dead.hostPort}`,
    },
  });
});
afterAll(async () => {
  await ingest?.stop();
  await dead?.close();
});

function urlVariable(slug: string): string {
  return `CLICKHOUSE_URL_${slug.replaceAll('-', '_').toUpperCase()}`;
}

function expectUnavailable(answer: Answer): void {
  expectProblem(answer, 502, 'CELL_UNAVAILABLE');
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
}

describe.concurrent('CELL_UNAVAILABLE', () => {
  test('a disabled cell', async () => {
    const tenant = await liveTenant(ingest, { cell: OFF });
    expectUnavailable(await postEvents(ingest, tenant.writeKey, [eventText()]));
  });

  test('a cell without an address', async () => {
    const tenant = await liveTenant(ingest, { cell: NOWHERE });
    expectUnavailable(await postEvents(ingest, tenant.writeKey, [eventText()]));
  });

  test('pages may read the response', async () => {
    const tenant = await liveTenant(ingest, { cell: OFF });
    const headers = { origin: 'https://shop.example.com' };
    const answer = await post(ingest, batchText(tenant.writeKey, [eventText()]), { headers });
    expectUnavailable(answer);
    expect(answer.headers['access-control-allow-origin']).toMatch(/^(\*|https:\/\/shop.*)$/);
  });

  test('disabling and enabling a cell takes effect, and no refused event is stored', async () => {
    const tenant = await liveTenant(ingest, { cell: CELL });
    const [before, during, after] = [newMessageId(), newMessageId(), newMessageId()];
    expectAccepted(await postEvents(ingest, tenant.writeKey, [eventOf(before)]), 1);
    await setEnabled(CELL.slug, false);
    await eventually(async () => {
      expectUnavailable(await postEvents(ingest, tenant.writeKey, [eventOf(before)]));
    });
    expectUnavailable(await postEvents(ingest, tenant.writeKey, [eventOf(during)]));
    await setEnabled(CELL.slug, true);
    await eventually(async () => {
      expectAccepted(await postEvents(ingest, tenant.writeKey, [eventOf(after)]), 1);
    });
    await storedEvents(tenant.workspaceId, [before, after]);
    expect(await countEvents(tenant.workspaceId)).toBe(2);
  });
});

async function setEnabled(slug: string, isEnabled: boolean): Promise<void> {
  await sql('UPDATE cells SET is_enabled = $1 WHERE slug = $2', [isEnabled, slug]);
}

test('an unavailable warehouse causes no refusals, and does not block other cells', async () => {
  const [stranded, lucky] = await Promise.all([
    liveTenant(ingest, { cell: AWAY }),
    liveTenant(ingest),
  ]);
  const id = newMessageId();
  expectAccepted(await postEvents(ingest, stranded.writeKey, [eventOf(id)]), 1);
  const ids = Array.from({ length: 5 }, newMessageId);
  for (const each of ids) {
    expectAccepted(await postEvents(ingest, stranded.writeKey, [eventText()]), 1);
    expectAccepted(await postEvents(ingest, lucky.writeKey, [eventOf(each)]), 1);
  }
  await storedEvents(lucky.workspaceId, ids);
  expect(await countEvents(stranded.workspaceId)).toBe(0);
});

test('a full spool refuses events, keeps the accepted ones, and accepts events again once it has space', async () => {
  const node = await startIngest({
    threads: 1,
    env: { CLICKHOUSE_URL: `http://${dead.hostPort}`, SPOOL_MAX_BYTES: String(8 * 1024 * 1024) },
  });
  try {
    const tenant = await liveTenant(node);
    const accepted: string[] = [];
    const payload = `{"pad":["${'x'.repeat(9_000)}"]}`;
    let refusedId: string | undefined;
    for (let i = 0; i < 2_000 && refusedId === undefined; i++) {
      const ids = Array.from({ length: 40 }, newMessageId);
      const events = ids.map(id => eventOf(id, { properties: payload }));
      const answer = await postEvents(node, tenant.writeKey, events);
      if (answer.status === 200) accepted.push(...ids);
      else {
        expectUnavailable(answer);
        refusedId = ids[0];
      }
    }
    expect(refusedId).toBeDefined();
    expect(accepted.length).toBeGreaterThan(0);
    // The process survives a full spool.
    expectUnavailable(
      await postEvents(node, tenant.writeKey, [eventText({ properties: payload })]),
    );

    expect((await node.stop()).code).toBe(0);
    await node.restart({ CLICKHOUSE_URL: inject('clickhouseUrl') });
    await eventually(async () => {
      const retried = eventOf(refusedId!, { properties: payload });
      expectAccepted(await postEvents(node, tenant.writeKey, [retried]), 1);
    });
    await storedEvent(tenant.workspaceId, refusedId!);
    await eventually(async () => {
      const [row] = await rows<{ ids: string }>(
        `SELECT uniqExact(message_id) AS ids FROM events WHERE workspace_id = {workspaceId:UUID}`,
        { workspaceId: tenant.workspaceId },
      );
      expect(Number(row?.ids)).toBe(accepted.length + 1);
    });
    expect(await countEvents(tenant.workspaceId)).toBe(accepted.length + 1);
  } finally {
    await node.stop();
  }
});
