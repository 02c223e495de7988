import type { Clock } from '../../ingest/clock.ts';

type Timer = { readonly atMs: number; readonly wake: () => void };

/** A clock that only the simulator advances. */
export class VirtualClock implements Clock {
  private timeMs = Date.UTC(2026, 0, 1);
  private readonly timers = new Set<Timer>();

  nowMs(): number {
    return this.timeMs;
  }

  monotonicMs(): number {
    return this.timeMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise(resolve => {
      const timer = { atMs: this.timeMs + ms, wake: () => finish() };
      const finish = () => {
        this.timers.delete(timer);
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      signal?.addEventListener('abort', finish, { once: true });
      this.timers.add(timer);
    });
  }

  /** Advances the clock and wakes due timers. */
  advance(ms: number): void {
    this.timeMs += ms;
    for (const timer of this.timers) if (timer.atMs <= this.timeMs) timer.wake();
  }
}
