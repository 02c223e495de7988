import { setTimeout as wait } from 'node:timers/promises';
import { Unanswered } from './ask.ts';

export type Pace = {
  readonly everyMs: number;
  readonly signal: AbortSignal;
  readonly onUnanswered: () => void;
};

/** A killed part or a restarted service is available again within this time. */
const PATIENCE_MS = 30_000;

/** Repeats the task until the signal is aborted. Throws if there has been no response for too long. */
export async function atPace(
  { everyMs, signal, onUnanswered }: Pace,
  deed: (at: number) => Promise<void>,
): Promise<void> {
  let dueMs = performance.now();
  let answeredMs = dueMs;
  for (let at = 0; !signal.aborted; at++) {
    try {
      await deed(at);
      answeredMs = performance.now();
    } catch (error) {
      const isOver = performance.now() - answeredMs > PATIENCE_MS;
      if (!(error instanceof Unanswered) || isOver) throw error;
      onUnanswered();
    }
    // Missed runs are not made up for, because that would be a burst.
    const nowMs = performance.now();
    dueMs = Math.max(dueMs + everyMs, nowMs);
    await wait(dueMs - nowMs, undefined, { signal }).catch(() => undefined);
  }
}
