// A consumer group of the cluster, as the readers see it.

import { Consumer, ListOffsetTimestamps } from '@platformatic/kafka';
import { clientOptions } from './client-options.ts';
import { fetchRecords } from './fetch-records.ts';
import { type GroupMemberOptions, type MemberSession, runGroupMember } from './group-member.ts';
import type { Feed, LogGroup, PartitionOffsets, Position, Session } from './log-group.ts';

export type BrokerGroupOptions = Omit<GroupMemberOptions, 'run'> & {
  /** The topic without records for the ends of open blocks; undefined for none. */
  readonly openBlocksTopic: string | undefined;
};

export function brokerGroup(options: BrokerGroupOptions): LogGroup {
  return {
    run: (work, signal) =>
      runGroupMember({ ...options, run: session => work(sessionOf(options, session)) }, signal),
  };
}

function sessionOf(options: BrokerGroupOptions, session: MemberSession): Session {
  const { partitions, signal, renew, consumer } = session;
  return {
    partitions,
    signal,
    renew,
    offsets: sinceMs => askOffsets(options, session, sinceMs),
    commit: positions => {
      // The client sends a commit under its current generation, which may be later than that of the
      // session.
      if (signal.aborted) throw new Error('The session with the consumer group has ended.');
      const offsets = positions.map(({ of, partition, offset }) => {
        return { topic: topicOf(options, of), partition, offset, leaderEpoch: -1 };
      });
      return consumer.commit({ offsets });
    },
    fetch: feed => fetchWith(options, feed, signal),
  };
}

function topicOf({ topic, openBlocksTopic }: BrokerGroupOptions, of: Position['of']): string {
  return of === 'records' ? topic : openBlocksTopic!;
}

async function askOffsets(
  { topic, openBlocksTopic }: BrokerGroupOptions,
  { consumer, partitions }: MemberSession,
  sinceMs: number | undefined,
): Promise<PartitionOffsets[]> {
  if (partitions.length === 0) return [];
  const topics = [topic, ...(openBlocksTopic === undefined ? [] : [openBlocksTopic])];
  const at = (timestamp: bigint) => consumer.listOffsets({ topics: [topic], timestamp });
  const [committed, earliest, latest, since] = await Promise.all([
    consumer.listCommittedOffsets({
      topics: topics.map(name => ({ topic: name, partitions: [...partitions] })),
    }),
    at(ListOffsetTimestamps.EARLIEST),
    at(ListOffsetTimestamps.LATEST),
    sinceMs === undefined ? undefined : at(BigInt(Math.floor(sinceMs))),
  ]);
  return partitions.map(partition => ({
    partition,
    committed: committed.get(topic)?.[partition] ?? NONE,
    openEnd: committed.get(openBlocksTopic ?? '')?.[partition] ?? NONE,
    first: earliest.get(topic)![partition]!,
    highWatermark: latest.get(topic)![partition]!,
    since: since?.get(topic)?.[partition] ?? NONE,
  }));
}

const NONE = -1n;

async function fetchWith(
  options: BrokerGroupOptions,
  feed: Feed,
  signal: AbortSignal,
): Promise<void> {
  const { config, random, groupId, topic, clock, onFailure } = options;
  const turn = Math.floor(random() * 1_000_000);
  const fetcher = new Consumer({
    ...clientOptions(config, 'engagement-inserter', turn),
    retries: 0,
    groupId,
  });
  fetcher.on('error', onFailure);
  fetcher.topics.track(topic);
  try {
    await fetchRecords({ ...feed, fetcher, topic, clock, signal, onFailure });
  } finally {
    await fetcher.close(true).catch(() => undefined);
  }
}
