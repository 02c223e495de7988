// Reads one topic of a cell as a member of its consumer group: for each session it asks where the
// partitions stand, fetches their records and applies them.

import { Consumer, ListOffsetTimestamps } from '@platformatic/kafka';
import type { Clock } from '../clock.ts';
import type { BrokersConfig } from './brokers-config.ts';
import { clientOptions } from './client-options.ts';
import { type Fetched, fetchRecords } from './fetch-records.ts';
import { runGroupMember, type Session } from './group-member.ts';
import {
  type PartitionReaderOptions,
  type PartitionState,
  readPartition,
} from './partition-reader.ts';
import { type LogRecord, RecordQueue } from './record-queue.ts';

export type LogReaderOptions = {
  readonly config: BrokersConfig;
  readonly groupId: string;
  readonly topic: string;
  /** The topic without records for the ends of open blocks; undefined for none. */
  readonly openBlocksTopic: string | undefined;
  /**
   * The time since which delivered rows may have been lost; undefined if none can be. Records from
   * then on are looked at again at the start of a session.
   */
  readonly verifySinceMs: () => Promise<number | undefined>;
  /** Whether delivered rows may have been lost since the last call. */
  readonly mayHaveLost: () => Promise<boolean>;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly handle: (
    records: readonly LogRecord[],
    freshness: Parameters<PartitionReaderOptions['handle']>[1],
    context: { readonly partition: number; readonly signal: AbortSignal },
  ) => Promise<boolean>;
  /** Reads a record. Contents are undefined if it is damaged, which the function has reported. */
  readonly read: (partition: number, record: Fetched) => Promise<LogRecord> | LogRecord;
  /** Called with the records that the retention removed before they were read. */
  readonly onLost: (partition: number, records: bigint) => void;
  readonly onFailure: (error: unknown) => void;
};

/** What one partition waits for. */
export type PartitionLag = {
  readonly partition: number;
  readonly records: number;
  /** The age of the oldest fetched record that is not applied; 0 if there is none. */
  readonly oldestMs: number;
};

type Watched = PartitionState & { highWatermark: bigint };

export class LogReader {
  private readonly options: LogReaderOptions;
  private states: readonly Watched[] = [];

  constructor(options: LogReaderOptions) {
    this.options = options;
  }

  /** Resolves after the signal. */
  run(signal: AbortSignal): Promise<void> {
    return runGroupMember({ ...this.options, run: session => this.runSession(session) }, signal);
  }

  /** Of the partitions that this member has now. */
  lag(): PartitionLag[] {
    const nowMs = this.options.clock.nowMs();
    return this.states.map(({ partition, position, highWatermark, oldestAtMs }) => {
      const records = Number(highWatermark > position ? highWatermark - position : 0n);
      return {
        partition,
        records,
        oldestMs: oldestAtMs === undefined ? 0 : Math.max(0, nowMs - oldestAtMs),
      };
    });
  }

  private async runSession(session: Session): Promise<void> {
    const { signal } = session;
    const { clock, config, random, topic, onFailure } = this.options;
    const fetcher = new Consumer({
      ...clientOptions(config, 'engagement-inserter', Math.floor(random() * 1_000_000)),
      retries: 0,
      groupId: this.options.groupId,
    });
    fetcher.on('error', onFailure);
    fetcher.topics.track(topic);
    try {
      this.states = await this.whereTheyStand(session);
      const byPartition = new Map(this.states.map(state => [state.partition, state]));
      await Promise.all([
        fetchRecords({
          fetcher,
          topic,
          clock,
          signal,
          queues: new Map(this.states.map(({ partition, queue }) => [partition, queue])),
          read: this.options.read,
          onHighWatermark: (partition, offset) => {
            byPartition.get(partition)!.highWatermark = offset;
          },
          onOutOfRange: partition => this.skipLost(session, byPartition.get(partition)!),
          onFailure,
        }),
        ...this.states.map(state => readPartition(state, this.readerOptions(session))),
        this.watchLoss(session),
      ]);
    } finally {
      this.states = [];
      await fetcher.close(true).catch(() => undefined);
    }
  }

  private async watchLoss({ signal, renew }: Session): Promise<void> {
    const { clock, mayHaveLost } = this.options;
    for (; !signal.aborted; await clock.sleep(WATCH_INTERVAL_MS, signal)) {
      // Without an answer nothing can be looked at; deliveries report that.
      if (await mayHaveLost().catch(() => false)) renew();
    }
  }

  private readerOptions({ signal, consumer }: Session): PartitionReaderOptions {
    const { clock, topic, openBlocksTopic, onFailure, handle } = this.options;
    const commit = (offsets: { topic: string; partition: number; offset: bigint }[]) =>
      consumer.commit({ offsets: offsets.map(offset => ({ ...offset, leaderEpoch: -1 })) });
    return {
      clock,
      signal,
      handle: (records, freshness, { partition }) =>
        handle(records, freshness, { partition, signal }),
      ...(openBlocksTopic === undefined
        ? {}
        : {
            openBlock: ({ partition, position }, end) =>
              commit([
                { topic, partition, offset: position },
                { topic: openBlocksTopic, partition, offset: end },
              ]),
          }),
      commit: ({ partition }, end) => commit([{ topic, partition, offset: end }]),
      onFailure,
    };
  }

  /** Repeats until it is known or the session ends. */
  private async whereTheyStand(session: Session): Promise<Watched[]> {
    const { clock, onFailure } = this.options;
    while (!session.signal.aborted) {
      try {
        return await this.askWhereTheyStand(session);
      } catch (error) {
        if (!session.signal.aborted) onFailure(error);
        await clock.sleep(ASK_AGAIN_MS, session.signal);
      }
    }
    return [];
  }

  private async askWhereTheyStand({ consumer, partitions }: Session): Promise<Watched[]> {
    if (partitions.length === 0) return [];
    const { topic, openBlocksTopic, onLost, verifySinceMs } = this.options;
    const topics = [topic, ...(openBlocksTopic === undefined ? [] : [openBlocksTopic])];
    const sinceMs = await verifySinceMs();
    const [committed, earliest, latest, since] = await Promise.all([
      consumer.listCommittedOffsets({
        topics: topics.map(name => ({ topic: name, partitions: [...partitions] })),
      }),
      consumer.listOffsets({ topics: [topic], timestamp: ListOffsetTimestamps.EARLIEST }),
      consumer.listOffsets({ topics: [topic], timestamp: ListOffsetTimestamps.LATEST }),
      sinceMs === undefined
        ? undefined
        : consumer.listOffsets({ topics: [topic], timestamp: BigInt(Math.floor(sinceMs)) }),
    ]);
    return partitions.map(partition => {
      const first = earliest.get(topic)![partition]!;
      const committedOffset = committed.get(topic)?.[partition] ?? -1n;
      if (committedOffset >= 0n && committedOffset < first)
        onLost(partition, first - committedOffset);
      const delivered = committedOffset > first ? committedOffset : first;
      // Negative if no record is as new as that.
      const verified = since?.get(topic)?.[partition] ?? -1n;
      const position = verified >= first && verified < delivered ? verified : delivered;
      const openEnd =
        openBlocksTopic === undefined ? -1n : (committed.get(openBlocksTopic)?.[partition] ?? -1n);
      const highWatermark = latest.get(topic)![partition]!;
      return {
        partition,
        position,
        delivered,
        openEnd: openEnd > delivered ? openEnd : undefined,
        triedEnd: highWatermark,
        highWatermark,
        oldestAtMs: undefined,
        queue: new RecordQueue(position),
      };
    });
  }

  /** The retention has removed records that were not read: the partition continues after them. */
  private async skipLost({ consumer }: Session, state: Watched): Promise<void> {
    const { topic, onLost } = this.options;
    const earliest = await consumer.listOffsets({
      topics: [topic],
      timestamp: ListOffsetTimestamps.EARLIEST,
    });
    const first = earliest.get(topic)![state.partition]!;
    if (first <= state.queue.nextOffset) return;
    onLost(state.partition, first - state.queue.nextOffset);
    state.queue.nextOffset = first;
  }
}

const ASK_AGAIN_MS = 300;
const WATCH_INTERVAL_MS = 5_000;
