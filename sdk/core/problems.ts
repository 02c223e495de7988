import type { ClientProblem, OnProblem } from './problem.ts';

/** Passes problems to the developer's listener or, without one, to the console. */
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
      // An error in the listener must not stop the events.
      console.error(error);
    }
  };
}
