// A part that exits is always restarted: immediately the first time, then after increasing pauses.

import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';

export type Part = {
  readonly pid: number;
  stop(): Promise<void>;
  /** Ends it immediately, if stopping takes too long for the user. */
  kill(): void;
};

export type Supervised<Running extends Part> = {
  /** The current process of the part, or its last one. */
  current(): Running;
  stop(): Promise<void>;
  kill(): void;
};

export type SuperviseOptions<Running extends Part> = {
  readonly name: string;
  /**
   * @param previous the previous process, whose port a restart keeps
   * @param signal if aborted during the start, the start stops everything that it has started, and fails
   */
  start(
    previous: Running | undefined,
    onExit: (code: number | null) => void,
    signal: AbortSignal,
  ): Promise<Running>;
  /** Called for each process that was started. */
  onStart(running: Running): void | Promise<void>;
  readonly log: Logger;
  /** If aborted, the first start is no longer awaited. The running process continues until it is stopped. */
  readonly signal?: AbortSignal;
};

/** A part that has run for this long has recovered. Its next crash counts as the first one. */
const STABLE_MS = 30_000;
const PAUSE_FIRST_MS = 250;
const PAUSE_MAX_MS = 10_000;
/** The time for a restart in progress to end when we stop: longer than killing Postgres takes. */
const RESTART_END_MS = 8_000;

/** If the first start fails, the call fails. Only a part that has run is restarted. */
export async function supervise<Running extends Part>(
  options: SuperviseOptions<Running>,
): Promise<Supervised<Running>> {
  const { name, log } = options;
  const stopping = new AbortController();
  let crashes = 0;
  let startedAt = performance.now();
  let restarting: Promise<void> = Promise.resolve();
  let current: Running | undefined;

  function onExit(code: number | null): void {
    if (stopping.signal.aborted) return;
    log.error({ part: name, code }, 'program exited unexpectedly, restarting');
    crashes = performance.now() - startedAt > STABLE_MS ? 1 : crashes + 1;
    restarting = restarting.then(restart);
  }

  async function begin(signal: AbortSignal): Promise<Running> {
    signal.throwIfAborted();
    const running = await options.start(current, onExit, signal);
    startedAt = performance.now();
    current = running;
    try {
      await options.onStart(running);
    } catch (error) {
      // The part runs nevertheless.
      log.warn({ part: name, err: error }, 'could not record that the program started');
    }
    return running;
  }

  async function restart(): Promise<void> {
    while (!stopping.signal.aborted) {
      const pauseMs = restartPauseMs(crashes);
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        const running = await begin(stopping.signal);
        // The signal was aborted too late.
        if (stopping.signal.aborted) await running.stop();
        else log.info({ part: name, pid: running.pid }, 'program restarted');
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        crashes++;
        log.error({ part: name, err: error }, 'program could not be started, retrying');
      }
    }
  }

  const first = await begin(options.signal ?? stopping.signal);
  return {
    current: () => current ?? first,
    async stop() {
      stopping.abort();
      await Promise.race([restarting, wait(RESTART_END_MS, undefined, { ref: false })]);
      await (current ?? first).stop();
    },
    kill() {
      stopping.abort();
      (current ?? first).kill();
    },
  };
}

/** How long to wait before the start that follows the n-th crash in a row. */
export function restartPauseMs(crashes: number): number {
  if (crashes <= 1) return 0;
  return Math.min(PAUSE_FIRST_MS * 2 ** Math.min(crashes - 2, 30), PAUSE_MAX_MS);
}
