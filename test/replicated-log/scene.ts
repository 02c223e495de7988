// Shared by the tests of the replicated log: brokers, ingest processes that write to them, and
// traffic whose acknowledged events are known.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, type TestContext } from 'vitest';
import { eventOf, newMessageId } from '../harness/batch.ts';
import { postEvents } from '../harness/batch-client.ts';
import { type Brokers, type BrokersOptions, hasBrokers, startBrokers } from '../harness/brokers.ts';
import { EACH_ONCE, type Queryable, tally } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { type IngestOptions, type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { newDirectory } from '../harness/run-directory.ts';
import type { Tenant } from '../harness/tenant.ts';

const SENDERS = 4;

/** The brokers of a test file, which its tests may kill. */
export function useBrokers(options: BrokersOptions = {}): () => Brokers {
  let brokers: Brokers | undefined;
  beforeAll(async () => {
    if (hasBrokers()) brokers = await startBrokers(await newDirectory('brokers'), options);
  });
  afterAll(() => brokers?.stop());
  return () => {
    if (brokers === undefined) throw new Error('The brokers start in beforeAll.');
    return brokers;
  };
}

/** Topics of its own, so that tests do not read each other's records. */
export function logEnvironment({ addresses }: Brokers): Record<string, string> {
  return { LOG_BROKERS: addresses, LOG_TOPIC_PREFIX: `test-${randomUUID()}` };
}

export async function startNode(
  { onTestFinished, onTestFailed }: TestContext,
  options: IngestOptions,
): Promise<IngestProcess> {
  const ingest = await startIngest(options);
  onTestFinished(async () => void (await ingest.kill9()));
  onTestFailed(() => void process.stderr.write(`ingest of a failed test:\n${ingest.logs()}\n`));
  return ingest;
}

export type Traffic = {
  /** The message IDs of events that were answered with 200. */
  readonly acknowledged: readonly string[];
  /** Requests with another answer. */
  refused(): number;
  /** Resolves when so many more requests were answered or failed. */
  untilAnswers(more: number): Promise<void>;
  /** Resolves when so many more events were acknowledged. */
  untilAcknowledged(more: number): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Sends batches to the nodes in turn until it is stopped. A batch without a 200 is sent again with the
 * same message IDs, as SDKs do.
 */
export function startTraffic(
  nodes: readonly IngestProcess[],
  tenant: Tenant,
  eventsPerBatch = 5,
): Traffic {
  const acknowledged: string[] = [];
  let [turn, answers, refused, isStopping] = [0, 0, 0, false];

  async function sendMany(): Promise<void> {
    while (!isStopping) {
      const ids = Array.from({ length: eventsPerBatch }, newMessageId);
      const batch = ids.map(id => eventOf(id));
      for (let isStored = false; !isStored && !isStopping; ) {
        const node = nodes[turn++ % nodes.length]!;
        const answer = await postEvents(node, tenant.writeKey, batch).catch(() => undefined);
        answers++;
        isStored = answer?.status === 200;
        if (answer !== undefined && !isStored) refused++;
        if (answer?.status === 503) expect(answer.headers['retry-after']).toBeDefined();
      }
      if (!isStopping) acknowledged.push(...ids);
    }
  }

  const sending = Promise.all(Array.from({ length: SENDERS }, sendMany));
  return {
    acknowledged,
    refused: () => refused,
    async untilAnswers(more) {
      const before = answers;
      await eventually(async () => expect(answers).toBeGreaterThanOrEqual(before + more));
    },
    async untilAcknowledged(more) {
      const { length } = acknowledged;
      await eventually(async () => expect(acknowledged.length).toBeGreaterThan(length + more));
    },
    async stop(): Promise<void> {
      isStopping = true;
      await sending;
    },
  };
}

/** As analysts see them, in the view `events`; and no row of a record was inserted twice. */
export function expectEachOnce(
  clickhouse: Queryable,
  { workspaceId }: Tenant,
  ids: readonly string[],
): Promise<void> {
  return eventually(async () => {
    const found = await tally(clickhouse, 'events', workspaceId, ids);
    expect({ ...found, neverSent: [] }).toEqual(EACH_ONCE);
    expect(await rowsInsertedTwice(clickhouse, workspaceId)).toEqual([]);
  });
}

/** The view hides copies, and a merge removes them, but until then they are in the table. */
function rowsInsertedTwice(clickhouse: Queryable, workspaceId: string): Promise<object[]> {
  return clickhouse.rows(
    `SELECT batch_id, batch_row, count() AS copies FROM events_raw
     WHERE workspace_id = {workspaceId:UUID} GROUP BY batch_id, batch_row HAVING copies > 1`,
    { workspaceId },
  );
}
