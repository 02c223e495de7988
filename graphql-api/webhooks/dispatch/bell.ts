export type Bell = {
  /** Whoever waits goes on at once; with nobody there, the next one doesn't wait. */
  ring(): void;
  /** Until it rings, the time is over, or the signal. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<void>;
};

export function createBell(): Bell {
  let isRung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      isRung = true;
      wake?.();
    },
    async wait(timeoutMs, signal) {
      if (!isRung && !signal.aborted)
        await new Promise<void>(resolve => {
          const timer = setTimeout(resolve, timeoutMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
          signal.addEventListener('abort', wake, { once: true });
        }).finally(() => signal.removeEventListener('abort', wake!));
      wake = undefined;
      isRung = false;
    },
  };
}
