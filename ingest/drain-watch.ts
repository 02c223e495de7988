// Waits for `npm run spool -- drain`: then lets all threads refuse rows, and confirms it to the
// command.

import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import { confirmDrain, readDrainState } from './spool/drain-request.ts';
import type { FileSystem } from './spool/file-system.ts';

type DrainWatchOptions = {
  readonly fs: FileSystem;
  /** The directory of the node. */
  readonly root: string;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'error'>;
  /** Resolves when no thread accepts rows. Called again if its confirmation could not be written. */
  refuse(): Promise<void>;
};

const LOOK_INTERVAL_MS = 1_000;

export class DrainWatch {
  private readonly options: DrainWatchOptions;
  private readonly stopping = new AbortController();
  private readonly watching: Promise<void>;

  constructor(options: DrainWatchOptions) {
    this.options = options;
    this.watching = this.watch();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.watching;
  }

  /** Ends with the confirmation: a drained node does not accept rows again before a restart. */
  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    const { clock, log } = this.options;
    for (; !signal.aborted; await clock.sleep(LOOK_INTERVAL_MS, signal)) {
      try {
        if (await this.hasConfirmed()) return;
      } catch (error) {
        log.error({ error: String(error) }, 'drain request could not be read or confirmed');
      }
    }
  }

  private async hasConfirmed(): Promise<boolean> {
    const { fs, root, log, refuse } = this.options;
    if ((await readDrainState(fs, root)) === 'not requested') return false;
    await Promise.race([refuse(), aborted(this.stopping.signal)]);
    if (this.stopping.signal.aborted) return false;
    await confirmDrain(fs, root);
    log.info({ root }, 'spool is being drained: this node accepts no events');
    return true;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}
