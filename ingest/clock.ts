import { setTimeout as wait } from 'node:timers/promises';
import { serviceTime } from '../schema/environment/service-time.ts';

/** Time as a parameter, so that tests and the simulator set it. */
export type Clock = {
  /** The service's time: milliseconds since 1970. */
  nowMs(): number;
  /** Milliseconds that only go forward; for durations. */
  monotonicMs(): number;
  /** Resolves after the time, or at once when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/** With a file of a development service, that one's time. */
export function createClock(clockFile: string | undefined): Clock {
  return { ...systemClock, nowMs: serviceTime(clockFile) };
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  async sleep(ms, signal) {
    try {
      await wait(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      if ((error as Error).name !== 'AbortError') throw error;
    }
  },
};
