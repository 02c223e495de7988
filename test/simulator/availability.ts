// The availability of a simulated database. It can be away in three ways, for as long as a life
// lasts, and counts what ingest tries meanwhile, so that a life can tell how soon work begins
// again.

import type { VirtualClock } from './virtual-clock.ts';

export const WAYS_TO_BE_AWAY = ['refuses', 'hangs', 'answers errors'] as const;
export type WayToBeAway = (typeof WAYS_TO_BE_AWAY)[number];

export class Availability {
  /** Undefined while it is there. */
  away: WayToBeAway | undefined;
  /** What was tried while it was away, since it went. */
  triedWhileAway = 0;
  /** What was done since it came back. */
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

  /** Of one that hangs: true when it is back within the time. */
  async isBackWithin(timeoutMs: number): Promise<boolean> {
    const isBack = this.back.promise.then(() => true);
    return Promise.race([isBack, this.clock.sleep(timeoutMs).then(() => false)]);
  }

  /** Work that goes on in the database although nobody waits for it any more. */
  whenBack(work: () => void): void {
    void this.back.promise.then(work);
  }
}
