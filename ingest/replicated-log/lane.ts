// One producer for one partition of a topic: idempotent, one record in flight. The client retries
// indefinitely and queries a hung broker for the new leader, so a send has its own deadline. After
// it, the producer is abandoned, and the next one queries the other brokers first and writes to a
// partition that another broker leads. Whether the abandoned record is in the log is unknown; none
// of it was acknowledged.
//
// A producer counts as connected once a record without rows was acknowledged. So while too few
// replicas are in sync, requests are refused without a wait, and the node is not ready.

import { setTimeout as sleep } from 'node:timers/promises';
import { Producer } from '@platformatic/kafka';
import type { Clock } from '../clock.ts';
import { BROKER_ANSWER_TIMEOUT_MS, BROKER_SEND_TIMEOUT_MS } from '../limits.ts';
import type { BrokersConfig } from './brokers-config.ts';
import { clientOptions } from './client-options.ts';

export type LaneOptions = {
  readonly config: BrokersConfig;
  readonly topic: string;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** A record without rows. */
  readonly newProbe: () => Buffer;
  readonly onFailure: (error: unknown) => void;
};

const RECONNECT_WAIT_MS = 250;

export class Lane {
  private readonly options: LaneOptions;
  /** With its ID, after an acknowledgement. */
  private producer: Producer | undefined;
  private partition = 0;
  /** The broker that leads the partition, as far as known. */
  private leader: Leader | undefined;
  private turn: number;
  private isClosing = false;
  private connecting: Promise<void> | undefined;

  constructor(options: LaneOptions) {
    this.options = options;
    // Threads and nodes begin with different partitions and different brokers.
    this.turn = Math.floor(options.random() * 1_000_000);
    this.connect();
  }

  /** Whether a record can be sent now. */
  get isConnected(): boolean {
    return this.producer !== undefined;
  }

  /**
   * Resolves when all in-sync replicas have the record; rejects if that is not certain. The value
   * must not change before.
   */
  async send(value: Buffer): Promise<void> {
    const { producer } = this;
    if (producer === undefined) throw new Error('No broker is connected.');
    try {
      await this.sendWith(producer, value);
    } catch (error) {
      this.options.onFailure(error);
      if (this.producer === producer) this.abandon(producer);
      throw error;
    }
  }

  /** Precondition: no record is being sent. */
  async close(): Promise<void> {
    this.isClosing = true;
    await this.connecting;
    const { producer } = this;
    this.producer = undefined;
    if (producer !== undefined) await closeProducer(producer);
  }

  private async sendWith(producer: Producer, value: Buffer): Promise<void> {
    const { topic } = this.options;
    const { partition } = this;
    await within(
      producer.send({ messages: [{ topic, partition, value }] }),
      BROKER_SEND_TIMEOUT_MS,
      'No acknowledgement',
    );
  }

  private abandon(producer: Producer): void {
    this.producer = undefined;
    void closeProducer(producer);
    this.connect();
  }

  private connect(): void {
    this.connecting ??= this.connectAgain().finally(() => {
      this.connecting = undefined;
    });
  }

  private async connectAgain(): Promise<void> {
    for (let tries = 0; !this.isClosing; tries++) {
      if (tries > 0) await sleep(RECONNECT_WAIT_MS * (0.5 + this.options.random()));
      const producer = this.newProducer();
      try {
        const leaders = await within(
          prepare(producer, this.options.topic),
          BROKER_ANSWER_TIMEOUT_MS,
          'No broker responded',
        );
        this.partition = nextPartition(leaders, this.turn, this.leader);
        this.leader = leaders[this.partition];
        await this.sendWith(producer, this.options.newProbe());
        this.producer = producer;
        return;
      } catch (error) {
        if (tries === 0) this.options.onFailure(error);
        void closeProducer(producer);
      }
    }
  }

  private newProducer(): Producer {
    this.turn++;
    const { config } = this.options;
    return new Producer({
      ...clientOptions(config, 'engagement-ingest', this.turn, this.leader?.address),
      idempotent: true,
      autocreateTopics: false,
    });
  }
}

type Leader = {
  readonly id: number;
  /** `host:port`, as brokers name it. */
  readonly address: string;
};

/** Returns the leader of each partition; undefined if it has none. */
async function prepare(producer: Producer, topic: string): Promise<(Leader | undefined)[]> {
  const { topics, brokers } = await producer.metadata({ topics: [topic], retries: 0 });
  await producer.initIdempotentProducer({});
  return topics.get(topic)!.partitions.map(({ leader }) => {
    const broker = brokers.get(leader);
    return broker && { id: leader, address: `${broker.host}:${broker.port}` };
  });
}

/** One with a leader other than the last one, if there is one. */
function nextPartition(
  leaders: readonly (Leader | undefined)[],
  turn: number,
  lastLeader: Leader | undefined,
): number {
  const all = [...leaders.keys()];
  const others = all.filter(partition => {
    const leader = leaders[partition];
    return leader !== undefined && leader.id !== lastLeader?.id;
  });
  const choice = others.length > 0 ? others : all;
  return choice[turn % choice.length]!;
}

async function within<T>(work: Promise<T>, timeoutMs: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${message} within ${timeoutMs} ms.`)), timeoutMs);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Its open requests fail; their senders have already received an error. */
async function closeProducer(producer: Producer): Promise<void> {
  await producer.close(true).catch(() => undefined);
}
