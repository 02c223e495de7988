import type { Clock } from './clock.ts';

type PollingOptions = {
  readonly intervalMs: number;
  readonly clock: Clock;
  /** Resolves to false to end the polling. The signal is aborted by `stop`. */
  readonly look: (signal: AbortSignal) => Promise<boolean>;
  readonly onFailure: (error: unknown) => void;
};

/** Looks at once and then again after each interval, until it is stopped or a look ends it. */
export class Polling {
  readonly #stopping = new AbortController();
  readonly #polling: Promise<void>;

  constructor(options: PollingOptions) {
    this.#polling = this.#poll(options);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#polling;
  }

  async #poll({ intervalMs, clock, look, onFailure }: PollingOptions): Promise<void> {
    const { signal } = this.#stopping;
    for (; !signal.aborted; await clock.sleep(intervalMs, signal)) {
      try {
        if (!(await look(signal))) return;
      } catch (error) {
        onFailure(error);
      }
    }
  }
}
