// One member of a consumer group. The group assigns each partition to one member; when members join
// or leave, it reassigns them and every session ends. The session of a suspended process may end
// too late, so its users must tolerate that another member already has its partitions.
//
// The client's own retries are off: it would repeat a commit that the group has refused under the
// member's next generation, for partitions that then belong to another member.

import { Consumer } from '@platformatic/kafka';
import type { Clock } from '../clock.ts';
import { GROUP_HEARTBEAT_MS, GROUP_SESSION_MS } from '../limits.ts';
import type { BrokersConfig } from './brokers-config.ts';
import { clientOptions } from './client-options.ts';
import type { Session } from './log-group.ts';

/** A session of the client, on which the session of the readers is based. */
export type MemberSession = Pick<Session, 'partitions' | 'signal' | 'renew'> & {
  readonly consumer: Consumer;
};

export type GroupMemberOptions = {
  readonly config: BrokersConfig;
  readonly groupId: string;
  readonly topic: string;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Runs until the session's signal is aborted. */
  readonly run: (session: MemberSession) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
};

const REJOIN_WAIT_MS = 300;
/** Then a new member joins, through another broker. */
const REJOINS_MAX = 10;
/** The time for all members to rejoin when one joins or leaves. */
const REBALANCE_TIMEOUT_MS = 15_000;

/** Resolves after the signal, when the member has left the group. */
export async function runGroupMember(
  options: GroupMemberOptions,
  signal: AbortSignal,
): Promise<void> {
  let turn = Math.floor(options.random() * 1_000_000);
  while (!signal.aborted) {
    const consumer = newConsumer(options, turn++);
    const sessions = new Sessions(options, consumer);
    try {
      await Promise.race([untilLost(options, consumer, sessions, signal), sessions.crash]);
    } catch (error) {
      if (!signal.aborted) options.onFailure(error);
    }
    await sessions.end();
    // Leaves the group, so that the other members need not wait until the membership expires.
    await consumer.close(true).catch(() => undefined);
    if (!signal.aborted) await options.clock.sleep(REJOIN_WAIT_MS, signal);
  }
}

function newConsumer({ config, groupId, topic }: GroupMemberOptions, turn: number): Consumer {
  const consumer = new Consumer({
    ...clientOptions(config, 'engagement-inserter', turn),
    retries: 0,
    groupId,
    autocommit: false,
    sessionTimeout: GROUP_SESSION_MS,
    heartbeatInterval: GROUP_HEARTBEAT_MS,
    rebalanceTimeout: REBALANCE_TIMEOUT_MS,
  });
  consumer.topics.track(topic);
  return consumer;
}

/** Rejects when the membership cannot be renewed; resolves after the signal. */
function untilLost(
  { clock, onFailure }: GroupMemberOptions,
  consumer: Consumer,
  sessions: Sessions,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let rejoins = 0;
    const join = () => {
      consumer.joinGroup({}).catch(error => void joinAgain(error));
    };
    const joinAgain = async (error: unknown) => {
      if (signal.aborted) return;
      rejoins++;
      if (rejoins > REJOINS_MAX) {
        reject(new Error('The consumer group could not be joined again.', { cause: error }));
        return;
      }
      if (rejoins > 1) onFailure(error);
      await clock.sleep(REJOIN_WAIT_MS, signal);
      if (!signal.aborted) join();
    };
    // The client could not rejoin after a heartbeat had requested it.
    consumer.on('error', error => void joinAgain(error));
    consumer.on('consumer:heartbeat:stalled', () =>
      reject(new Error('The heartbeats to the consumer group stalled.')),
    );
    consumer.on('consumer:group:join', ({ assignments }) => {
      rejoins = 0;
      sessions.begin((assignments ?? []).flatMap(({ partitions }) => partitions));
    });
    signal.addEventListener('abort', () => resolve(), { once: true });
    join();
  });
}

/** At most one session at a time. */
class Sessions {
  private readonly options: GroupMemberOptions;
  private readonly consumer: Consumer;
  private current = new AbortController();
  private running: Promise<void> = Promise.resolve();
  /** Rejects if a session ends with an error. */
  readonly crash: Promise<never>;
  private readonly onCrash: (error: unknown) => void;

  constructor(options: GroupMemberOptions, consumer: Consumer) {
    this.options = options;
    this.consumer = consumer;
    const { promise, reject } = Promise.withResolvers<never>();
    this.crash = promise;
    this.onCrash = reject;
    promise.catch(() => undefined);
  }

  begin(partitions: readonly number[]): void {
    this.current.abort();
    this.current = new AbortController();
    const { signal } = this.current;
    const { consumer, options } = this;
    const renew = () => {
      if (!signal.aborted) this.begin(partitions);
    };
    this.running = this.running
      .then(() =>
        signal.aborted ? undefined : options.run({ partitions, signal, consumer, renew }),
      )
      .catch(this.onCrash);
  }

  async end(): Promise<void> {
    this.current.abort();
    await this.running;
  }
}
