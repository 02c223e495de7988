import { setTimeout as wait } from 'node:timers/promises';

export type RepeatOptions = {
  readonly intervalMs: number;
  /** Waits double up to this while it fails. */
  readonly retryMsMax: number;
  /** Aborted: no further time; what is under way is waited for. */
  readonly signal: AbortSignal;
  /** Told of each failure, and how many in a row it is. */
  readonly onFailure: (error: unknown, failures: number) => void;
};

/** `again`: there is more to do at once. */
export type Repeated = 'again' | 'wait';

/** Does the work over and over until the signal; resolves when the last time has ended. */
export async function repeat(
  work: () => Promise<Repeated>,
  { intervalMs, retryMsMax, signal, onFailure }: RepeatOptions,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    let next: Repeated = 'wait';
    try {
      next = await work();
      failures = 0;
    } catch (error) {
      failures++;
      onFailure(error, failures);
    }
    if (next === 'again') continue;
    const waitMs = Math.min(intervalMs * 2 ** failures, Math.max(retryMsMax, intervalMs));
    await wait(waitMs, undefined, { signal }).catch(() => undefined);
  }
}
