// The availability of a simulated database. It can become unavailable in three ways, for any
// duration, and counts the attempts of ingest meanwhile, so that a life can measure how soon work
// resumes.

import type { VirtualClock } from './virtual-clock.ts';

export const WAYS_TO_BE_AWAY = ['refuses', 'hangs', 'answers errors'] as const;
export type WayToBeAway = (typeof WAYS_TO_BE_AWAY)[number];

export class Availability {
  /** Undefined while the database is available. */
  away: WayToBeAway | undefined;
  /** The number of attempts during the current or last outage. */
  triedWhileAway = 0;
  /** The number of operations completed since the last outage. */
  doneSinceBack = 0;
  private readonly clock: VirtualClock;
  private back = Promise.withResolvers<void>();

  constructor(clock: VirtualClock) {
    this.clock = clock;
  }

  leave(way: WayToBeAway): void {
    this.away = way;
    this.triedWhileAway = 0;
    this.back = Promise.withResolvers();
  }

  comeBack(): void {
    this.away = undefined;
    this.doneSinceBack = 0;
    this.back.resolve();
  }

  /** For a database that hangs: true if it becomes available within the time. */
  async isBackWithin(timeoutMs: number): Promise<boolean> {
    const isBack = this.back.promise.then(() => true);
    return Promise.race([isBack, this.clock.sleep(timeoutMs).then(() => false)]);
  }

  /** Work that the database still does after its client has given up. */
  whenBack(work: () => void): void {
    void this.back.promise.then(work);
  }
}
