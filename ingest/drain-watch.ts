// Waits for `npm run spool -- drain`: then lets all threads refuse rows, and confirms it to the
// command.

import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import { Polling } from './polling.ts';
import { confirmDrain, readDrainState } from './spool/drain-request.ts';
import type { FileSystem } from './spool/file-system.ts';

type DrainWatchOptions = {
  readonly fs: FileSystem;
  /** The directory of the node. */
  readonly root: string;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'error'>;
  /** Resolves when no thread accepts rows. Called again if its confirmation could not be written. */
  readonly refuse: () => Promise<void>;
};

const INTERVAL_MS = 1_000;

/** Ends with the confirmation: a drained node does not accept rows again before a restart. */
export function watchDrain(options: DrainWatchOptions): Polling {
  const { fs, root, clock, log, refuse } = options;
  return new Polling({
    intervalMs: INTERVAL_MS,
    clock,
    look: async signal => {
      if ((await readDrainState(fs, root)) === 'not requested') return true;
      await Promise.race([refuse(), aborted(signal)]);
      if (signal.aborted) return false;
      await confirmDrain(fs, root);
      log.info({ root }, 'spool is being drained: this node accepts no events');
      return false;
    },
    onFailure: error =>
      log.error({ error: String(error) }, 'drain request could not be read or confirmed'),
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}
