import type { ClientProblem, OnProblem } from './problem.ts';

/** Tells the developer's listener of problems; the console while there is none. */
export class Problems {
  private readonly printed = new Set<string>();
  /** Once per code: a full queue would otherwise print a line per event. */
  private listener: OnProblem = ({ code, message, lost }) => {
    if (this.printed.has(code)) return;
    this.printed.add(code);
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
