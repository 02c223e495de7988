// A replicated log as producers and consumer groups see it, with the faults that they must survive:
// a lost acknowledgement, a record that is stored twice or arrives after its producer has given up,
// a group that gives the partitions to others in the middle of an insert, members that notice
// this late, and committed offsets that an operator resets.

import type { LaneLogOptions } from '../../ingest/replicated-log/lane-log.ts';
import type {
  Feed,
  LogGroup,
  PartitionOffsets,
  Position,
  Session,
} from '../../ingest/replicated-log/log-group.ts';
import type { VirtualClock } from './virtual-clock.ts';

type Lane = LaneLogOptions['lane'];
type Stored = { readonly value: Buffer; readonly atMs: number };

export const PARTITIONS = 3;
const LATE_MS = 3_000;
const FETCH_INTERVAL_MS = 100;
/** A suspended member goes on for this long with partitions that it no longer has. */
const ZOMBIE_MS = 2_500;

export class SimulatedTopic {
  /** The probability that a send fails. */
  faultRate = 0;
  /** Whether some members learn late that they lost their partitions. */
  hasLateMembers = true;
  /** The most records of a partition in one response, which vary. */
  recordsPerFetchMax = 4;
  private readonly partitions: readonly Stored[][];
  private readonly committed = new Map<string, bigint>();
  private readonly members = new Set<Member>();
  private generation = 0;
  private readonly random: () => number;
  private readonly clock: VirtualClock;

  constructor(random: () => number, clock: VirtualClock) {
    this.random = random;
    this.clock = clock;
    this.partitions = Array.from({ length: PARTITIONS }, () => []);
  }

  /** The producer of a process; after `die`, its requests are never answered. */
  openLane(): Lane & { die(): void } {
    let [partition, isDead] = [this.below(PARTITIONS), false];
    return {
      isConnected: true,
      send: async value => {
        try {
          await this.store(partition, value);
        } catch (error) {
          partition = (partition + 1) % PARTITIONS;
          throw error;
        } finally {
          if (isDead) await new Promise(() => undefined);
        }
      },
      close: async () => undefined,
      die: () => {
        isDead = true;
      },
    };
  }

  /** A member of the topic's consumer group. */
  joinGroup(): LogGroup & { die(): void } {
    const member: Member = {
      work: undefined,
      session: undefined,
      running: Promise.resolve(),
      isDead: false,
    };
    return {
      run: (work, signal) => {
        member.work = work;
        this.members.add(member);
        this.rebalance();
        return new Promise(resolve => {
          const leave = () => {
            this.members.delete(member);
            member.session?.abort();
            this.rebalance();
            resolve();
          };
          signal.addEventListener('abort', leave, { once: true });
        });
      },
      die: () => {
        member.isDead = true;
        this.members.delete(member);
        // Its memory is gone at once; the others have its partitions after the session timeout.
        member.session?.abort();
        void this.clock.sleep(LATE_MS).then(() => this.rebalance());
      },
    };
  }

  /** Gives all partitions anew to the members. */
  rebalance(): void {
    this.generation++;
    const members = [...this.members];
    const shift = this.below(PARTITIONS);
    for (const [turn, member] of members.entries()) {
      const own = [...this.partitions.keys()].filter(
        partition => (partition + shift) % members.length === turn,
      );
      this.begin(member, own);
    }
  }

  /** Sets the offset of a partition back, as an operator may do. */
  rewind(): void {
    const partition = this.below(PARTITIONS);
    const key = keyOf('records', partition);
    const offset = this.committed.get(key);
    if (offset === undefined) return;
    this.committed.set(key, BigInt(this.below(Number(offset) + 1)));
    this.rebalance();
  }

  /** Whether every record is delivered. */
  isDelivered(): boolean {
    return this.partitions.every(
      (stored, partition) =>
        stored.length === 0 ||
        this.committed.get(keyOf('records', partition)) === BigInt(stored.length),
    );
  }

  /** As in a real member, a session begins when the work of the one before has ended. */
  private begin(member: Member, partitions: readonly number[]): void {
    const [before, generation] = [member.session, this.generation];
    // A suspended member goes on for a while beside its successor.
    const isLate = this.hasLateMembers && this.random() < 0.5;
    if (isLate) void this.clock.sleep(this.random() * ZOMBIE_MS).then(() => before?.abort());
    else before?.abort();
    const controller = new AbortController();
    member.session = controller;
    const { signal } = controller;
    const session: Session = {
      partitions,
      signal,
      renew: () => {
        if (!signal.aborted && member.session === controller) this.begin(member, partitions);
      },
      offsets: async sinceMs => {
        await turn();
        return partitions.map(partition => this.offsetsOf(partition, sinceMs));
      },
      commit: async positions => {
        await turn();
        if (member.isDead) await new Promise(() => undefined);
        if (generation !== this.generation) throw new Error('ILLEGAL_GENERATION');
        if (this.random() < this.faultRate / 4) throw new Error('no answer to the commit');
        for (const position of positions)
          this.committed.set(keyOf(position.of, position.partition), position.offset);
      },
      fetch: feed => this.fetch(feed, signal),
    };
    member.running = member.running.then(() =>
      signal.aborted ? undefined : member.work?.(session),
    );
  }

  private async store(partition: number, value: Buffer): Promise<void> {
    await turn();
    const append = () =>
      void this.partitions[partition]!.push({
        value: Buffer.from(value),
        atMs: this.clock.nowMs(),
      });
    if (this.random() >= this.faultRate) {
      append();
      // The producer lost its state and sent the record again.
      if (this.random() < this.faultRate / 2) append();
      return;
    }
    const fault = this.below(3);
    if (fault === 0) append();
    if (fault === 1) void this.clock.sleep(LATE_MS).then(append);
    throw new Error('no acknowledgement in time');
  }

  private async fetch({ queues, read, onHighWatermark }: Feed, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const [partition, queue] of queues) {
        const stored = this.partitions[partition]!;
        onHighWatermark(partition, BigInt(stored.length));
        const some = Number(queue.nextOffset) + 1 + this.below(this.recordsPerFetchMax);
        while (queue.nextOffset < stored.length && Number(queue.nextOffset) < some) {
          const offset = queue.nextOffset;
          queue.push(await read(partition, { offset, value: stored[Number(offset)]!.value }));
        }
      }
      await this.clock.sleep(FETCH_INTERVAL_MS, signal);
    }
  }

  private offsetsOf(partition: number, sinceMs: number | undefined): PartitionOffsets {
    const stored = this.partitions[partition]!;
    const since = sinceMs === undefined ? -1 : stored.findIndex(({ atMs }) => atMs >= sinceMs);
    return {
      partition,
      committed: this.committed.get(keyOf('records', partition)) ?? -1n,
      openEnd: this.committed.get(keyOf('open block', partition)) ?? -1n,
      first: 0n,
      highWatermark: BigInt(stored.length),
      since: BigInt(since),
    };
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }
}

type Member = {
  work: ((session: Session) => Promise<void>) | undefined;
  session: AbortController | undefined;
  running: Promise<void>;
  isDead: boolean;
};

function keyOf(of: Position['of'], partition: number): string {
  return `${of}/${partition}`;
}

function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
