// Limits how many reports a process runs at once in a cell, in total and per workspace.

import { unavailable } from './warehouse-refusal.ts';

export type Slots = {
  /** Resolves to a function that releases the slot; rejects if the wait is too long. */
  take(workspaceId: string): Promise<() => void>;
};

type SlotLimits = {
  readonly runningMax: number;
  readonly runningOfOneMax: number;
  readonly waitingMax: number;
  readonly waitMsMax: number;
};

const LIMITS: SlotLimits = {
  // ClickHouse can serve many more, but inserts and analysts take precedence.
  runningMax: 8,
  runningOfOneMax: 4,
  // About as many as can be served within `waitMsMax`.
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
          // Taken here instead of after the await, so that no other caller can take the slot in between.
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
