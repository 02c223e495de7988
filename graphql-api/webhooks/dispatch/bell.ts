export type Bell = {
  /** Wakes the waiter immediately. Without a waiter, the next wait returns at once. */
  ring(): void;
  /** Returns when the bell rings, the time is over, or the signal is aborted. */
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
