// How many reports a process runs in a cell at once, and how many of one tenant: whoever opens ten
// dashboards waits for themselves.

import { unavailable } from './warehouse-refusal.ts';

export type Slots = {
  /** Resolves to what gives the slot back; rejects where the wait would be too long. */
  take(workspaceId: string): Promise<() => void>;
};

export type SlotLimits = {
  readonly runningMax: number;
  readonly runningOfOneMax: number;
  readonly waitingMax: number;
  readonly waitMsMax: number;
};

const LIMITS: SlotLimits = {
  // ClickHouse itself serves many more; inserts and analysts come first.
  runningMax: 8,
  runningOfOneMax: 4,
  // About what the running ones can serve before those that wait have given up.
  waitingMax: 100,
  waitMsMax: 5_000,
};

type Waiter = { readonly workspaceId: string; readonly go: () => void };

export function createSlots(limits: SlotLimits = LIMITS): Slots {
  const running = new Map<string, number>();
  const waiting = new Set<Waiter>();
  let runningAll = 0;

  function isFree(workspaceId: string): boolean {
    if (runningAll >= limits.runningMax) return false;
    return (running.get(workspaceId) ?? 0) < limits.runningOfOneMax;
  }

  function begin(workspaceId: string): () => void {
    runningAll++;
    running.set(workspaceId, (running.get(workspaceId) ?? 0) + 1);
    return () => {
      runningAll--;
      const left = running.get(workspaceId)! - 1;
      if (left === 0) running.delete(workspaceId);
      else running.set(workspaceId, left);
      const next = waiting.values().find(waiter => isFree(waiter.workspaceId));
      next?.go();
    };
  }

  return {
    async take(workspaceId) {
      if (isFree(workspaceId)) return begin(workspaceId);
      if (waiting.size >= limits.waitingMax) return unavailable();
      const { promise, resolve } = Promise.withResolvers<(() => void) | undefined>();
      const waiter: Waiter = {
        workspaceId,
        go: () => {
          waiting.delete(waiter);
          clearTimeout(timer);
          // Here, not after the await: nobody else may take the slot in between.
          resolve(begin(workspaceId));
        },
      };
      const timer = setTimeout(() => {
        waiting.delete(waiter);
        resolve(undefined);
      }, limits.waitMsMax);
      waiting.add(waiter);
      return (await promise) ?? unavailable();
    },
  };
}
