// A bounded number of resources, each lent to one request at a time, with a bounded queue.

import { exception } from './exception.ts';

export type Slots<Slot> = {
  /** Rejects if the queue is full, the wait is too long or the signal is aborted. */
  take(signal: AbortSignal): Promise<Loan<Slot>>;
};

export type Loan<Slot> = { readonly slot: Slot; giveBack(): void };

type Waiter<Slot> = (slot: Slot) => void;

export function createSlots<Slot>(
  all: readonly Slot[],
  limits: { readonly queueLengthMax: number; readonly queueWaitMaxMs: number },
): Slots<Slot> {
  const free = [...all];
  const waiters = new Set<Waiter<Slot>>();

  function lend(slot: Slot): Loan<Slot> {
    return {
      slot,
      giveBack() {
        const [next] = waiters;
        if (next === undefined) free.push(slot);
        else next(slot);
      },
    };
  }

  return {
    take(signal) {
      const slot = free.pop();
      if (slot !== undefined) return Promise.resolve(lend(slot));
      if (waiters.size >= limits.queueLengthMax) return Promise.reject(tooMany(all.length));
      return new Promise((resolve, reject) => {
        const leave = (reason: Error) => {
          waiters.delete(waiter);
          clearTimeout(timer);
          reject(reason);
        };
        const onAbort = () => leave(exception('QUERY_WAS_CANCELLED', 'The client disconnected'));
        const timer = setTimeout(() => {
          signal.removeEventListener('abort', onAbort);
          leave(tooMany(all.length));
        }, limits.queueWaitMaxMs);
        const waiter: Waiter<Slot> = given => {
          waiters.delete(waiter);
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          resolve(lend(given));
        };
        waiters.add(waiter);
        signal.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}

function tooMany(maximum: number) {
  return exception(
    'TOO_MANY_SIMULTANEOUS_QUERIES',
    `Too many simultaneous queries. Maximum: ${maximum}`,
  );
}
