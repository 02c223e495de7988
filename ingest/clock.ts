import { setTimeout as wait } from 'node:timers/promises';
import { serviceTime } from '../schema/environment/service-time.ts';

/** Time as a parameter, so that tests and the simulator can control it. */
export type Clock = {
  /** The service's time in milliseconds since 1970. */
  nowMs(): number;
  /** Milliseconds that never go backwards; for durations. */
  monotonicMs(): number;
  /** Resolves after the time, or at once if the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/** With the file of a development service, returns the time that it sets. */
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
