import type { ClientProblem, OnProblem } from './problem.ts';

/** A full queue would otherwise print a line per event. */
const SAME_CODE_MS = 10_000;

/** Tells the developer's listener of problems; the console while there is none. */
export class Problems {
  private readonly printedAtMs = new Map<string, number>();
  private listener: OnProblem = ({ code, message, lost }) => {
    const nowMs = Date.now();
    if (nowMs - (this.printedAtMs.get(code) ?? 0) < SAME_CODE_MS) return;
    this.printedAtMs.set(code, nowMs);
    console.warn(`engagement: ${code}: ${message}`, ...lost);
  };

  listen(listener: OnProblem): void {
    this.listener = listener;
  }

  readonly report = (problem: ClientProblem): void => {
    try {
      this.listener(problem);
    } catch (error) {
      // A fault of the listener must not stop the events.
      console.error(error);
    }
  };
}
