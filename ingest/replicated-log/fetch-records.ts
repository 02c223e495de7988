// Fetches the records of the partitions of a session into their queues: one request at a time to each
// broker, for the partitions that it leads. A partition whose queue is full is left out.

import { type ClusterMetadata, type Consumer, ListOffsetTimestamps } from '@platformatic/kafka';
import type { Clock } from '../clock.ts';
import { LOG_QUEUE_BYTES_MAX } from '../limits.ts';
import type { Feed } from './log-group.ts';

type FetchResponse = Awaited<ReturnType<Consumer['fetch']>>;

export type FetchOptions = Feed & {
  /**
   * This client is not the member of the group, whose heartbeats would wait behind these requests.
   */
  readonly fetcher: Consumer;
  readonly topic: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onFailure: (error: unknown) => void;
};

const MAX_WAIT_MS = 500;
/** A broker waits for this much, so that a steady load takes few requests. */
const RESPONSE_BYTES_MIN = 1024 * 1024;
const PARTITION_BYTES_MAX = 8 * 1024 * 1024;
const RESPONSE_BYTES_MAX = 32 * 1024 * 1024;
const RETRY_WAIT_MS = 250;
const OFFSET_OUT_OF_RANGE = 1;

/** Resolves after the signal. */
export async function fetchRecords(options: FetchOptions): Promise<void> {
  const { fetcher, topic, signal, clock } = options;
  const loops = new Map<number, Promise<void>>();
  let metadata: ClusterMetadata | undefined;
  // The loop of a broker ends on a failure, and when the broker no longer leads any of the
  // partitions.
  while (!signal.aborted) {
    try {
      metadata = await fetcher.metadata({ topics: [topic], forceUpdate: metadata === undefined });
    } catch (error) {
      options.onFailure(error);
      metadata = undefined;
    }
    for (const node of metadata === undefined ? [] : leaders(metadata, options)) {
      if (loops.has(node)) continue;
      const loop = fetchFrom(node, options).finally(() => loops.delete(node));
      loops.set(node, loop);
    }
    await clock.sleep(RETRY_WAIT_MS, signal);
  }
  await Promise.all(loops.values());
}

function leaders(metadata: ClusterMetadata, { topic, queues }: FetchOptions): Set<number> {
  const { partitions = [] } = metadata.topics.get(topic) ?? {};
  return new Set([...queues.keys()].flatMap(partition => partitions[partition]?.leader ?? []));
}

async function fetchFrom(node: number, options: FetchOptions): Promise<void> {
  const { fetcher, topic, signal, clock, queues } = options;
  try {
    while (!signal.aborted) {
      const metadata = await fetcher.metadata({ topics: [topic] });
      const { id, partitions } = metadata.topics.get(topic)!;
      const led = [...queues].filter(([partition]) => partitions[partition]?.leader === node);
      if (led.length === 0) return;
      const hungry = led.filter(([, queue]) => queue.bytes < LOG_QUEUE_BYTES_MAX);
      if (hungry.length === 0) {
        await clock.sleep(RETRY_WAIT_MS, signal);
        continue;
      }
      const response = await fetcher.fetch({
        node,
        maxWaitTime: MAX_WAIT_MS,
        minBytes: RESPONSE_BYTES_MIN,
        maxBytes: RESPONSE_BYTES_MAX,
        isolationLevel: 0,
        topics: [
          {
            topicId: id,
            partitions: hungry.map(([partition, queue]) => ({
              partition,
              fetchOffset: queue.nextOffset,
              currentLeaderEpoch: -1,
              lastFetchedEpoch: -1,
              partitionMaxBytes: PARTITION_BYTES_MAX,
            })),
          },
        ],
      });
      if (!signal.aborted) await deliver(response, options);
    }
  } catch (error) {
    if (signal.aborted) return;
    await handleFailure(error, options);
  }
}

async function deliver(response: FetchResponse, options: FetchOptions): Promise<void> {
  for (const { partitionIndex, highWatermark, records } of partitionsOf(response)) {
    const queue = options.queues.get(partitionIndex);
    if (queue === undefined) continue;
    options.onHighWatermark(partitionIndex, highWatermark);
    for (const batch of records ?? [])
      for (const { offsetDelta, value } of batch.records) {
        const offset = batch.firstOffset + BigInt(offsetDelta);
        // A batch begins before the requested offset if that is in its middle.
        if (offset < queue.nextOffset) continue;
        const fetched = { offset, value: value ?? Buffer.alloc(0) };
        queue.push(await options.read(partitionIndex, fetched));
      }
  }
}

async function handleFailure(error: unknown, options: FetchOptions): Promise<void> {
  const { response } = error as { response?: FetchResponse };
  const outOfRange =
    response === undefined
      ? []
      : partitionsOf(response).filter(({ errorCode }) => errorCode === OFFSET_OUT_OF_RANGE);
  options.onFailure(error);
  for (const { partitionIndex } of outOfRange)
    await skipLost(partitionIndex, options).catch(options.onFailure);
  options.fetcher.clearMetadata();
}

function partitionsOf(response: FetchResponse) {
  return response.responses.flatMap(({ partitions }) => partitions);
}

/** The retention has removed records that were not read: the partition continues after them. */
async function skipLost(partition: number, options: FetchOptions): Promise<void> {
  const { fetcher, topic, queues, onLost } = options;
  const earliest = await fetcher.listOffsets({
    topics: [topic],
    timestamp: ListOffsetTimestamps.EARLIEST,
  });
  const queue = queues.get(partition)!;
  const first = earliest.get(topic)![partition]!;
  if (first <= queue.nextOffset) return;
  onLost(partition, first - queue.nextOffset);
  queue.nextOffset = first;
}
