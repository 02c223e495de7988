// Clients that never give up: each batch is resent with the same message IDs until it is
// acknowledged. Events are derived from their numbers, so stored events can be compared with sent
// ones without keeping them in memory.

import { expect } from 'vitest';
import { batchText, realisticEvent, realisticEventText } from '../harness/batch.ts';
import { JSON_TYPE } from '../harness/batch-client.ts';
import type { Queryable } from '../harness/copies.ts';
import { type ExpectedRow, expectedRow } from '../harness/expected-row.ts';
import { keepAlive, send } from '../harness/http.ts';
import type { IngestProcess } from '../harness/ingest-process.ts';
import type { Tenant } from '../harness/tenant.ts';

export type Load = {
  readonly seed: number;
  /** The number of events acknowledged so far. */
  acknowledged(): number;
  /** The number of resent batches. */
  retries(): number;
  /** Resolves when everything is acknowledged. */
  readonly done: Promise<void>;
};

export type LoadOptions = {
  readonly seed: number;
  readonly firstEvent: number;
  readonly events: number;
  readonly connections: number;
};

const EVENTS_PER_BATCH = 50;
const RETRY_MS = 50;

/** The address of one process, or of several behind one address; read for each request. */
type Address = Pick<IngestProcess, 'url'>;

export function startLoad(ingest: Address, tenant: Tenant, options: LoadOptions): Load {
  const { seed, firstEvent, events, connections } = options;
  const agent = keepAlive(connections);
  let [next, acknowledged, retries] = [firstEvent, 0, 0];

  async function client(): Promise<void> {
    while (next < firstEvent + events) {
      const first = next;
      next += EVENTS_PER_BATCH;
      const texts = Array.from({ length: EVENTS_PER_BATCH }, (_, i) =>
        realisticEventText(realisticEvent(seed, first + i)),
      );
      while (!(await isAcknowledged(texts))) {
        retries++;
        await new Promise(resolve => setTimeout(resolve, RETRY_MS));
      }
      acknowledged += EVENTS_PER_BATCH;
    }
  }

  async function isAcknowledged(texts: readonly string[]): Promise<boolean> {
    const body = batchText(tenant.writeKey, texts);
    const url = `${ingest.url}/v1/batch`;
    const answer = await send(url, { body, headers: JSON_TYPE, agent }).catch(() => undefined);
    // 503 is expected during a start. After a lost connection, the batch may or may not be stored.
    if (answer === undefined || answer.status === 503) return false;
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return true;
  }

  const clients = Array.from({ length: connections }, client);
  const done = Promise.all(clients).then(() => agent.destroy());
  // Awaited later. Without this, an earlier failure of a client would be an unhandled rejection.
  done.catch(() => undefined);
  return { seed, acknowledged: () => acknowledged, retries: () => retries, done };
}

export function messageIds(seed: number, events: number): string[] {
  return Array.from({ length: events }, (_, number) => realisticEvent(seed, number).messageId);
}

/** Expects every row in the view for analysts to have the values of the event sent with its ID. */
export async function expectValuesAsSent(
  clickhouse: Queryable,
  tenant: Tenant,
  seed: number,
): Promise<void> {
  const stored = await clickhouse.rows<ExpectedRow>(
    `SELECT message_id, type, event, name, timestamp, timestamp_text, anonymous_id, user_id,
            session_id, properties, traits, context, extra, batch_context, batch_extra,
            toString(sdk_key_id) AS sdk_key_id
     FROM events WHERE workspace_id = {workspaceId:UUID}`,
    { workspaceId: tenant.workspaceId },
  );
  for (const row of stored) {
    const event = realisticEvent(seed, Number(row.message_id.split('-')[1]));
    const expected = expectedRow(event, tenant);
    // Compares text first: a deep comparison of all rows would take longer than the test itself.
    const isSame = Object.keys(expected).every(name => row[name] === expected[name]);
    if (!isSame) expect(row, `seed ${seed}`).toEqual(expected);
  }
}
