import { setTimeout as wait } from 'node:timers/promises';

type RepeatOptions = {
  readonly intervalMs: number;
  /** The maximum wait. The wait is doubled with each consecutive failure. */
  readonly retryMsMax: number;
  /** When aborted, the current run completes and no further run starts. */
  readonly signal: AbortSignal;
  /** Called for each failure, with the number of consecutive failures. */
  readonly onFailure: (error: unknown, failures: number) => void;
};

/** `again`: there is more to do immediately. */
export type Repeated = 'again' | 'wait';

/** Repeats the work until the signal is aborted; resolves when the last run has ended. */
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
