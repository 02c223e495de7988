// How far the erasure of a person is: whether its first pass is still to be followed, and when it ends.

import { DAY_MS } from './range/range.ts';

/** The first pass takes seconds to minutes. */
export const FOLLOW_MS = 2_000;

/** The first deletion is not done yet. */
export function isUnderWay({ state }: { readonly state: string }): boolean {
  return state === 'QUEUED' || state === 'RUNNING';
}

type Passes = {
  readonly erasedAt: string | null;
  readonly nextPassAt: string | null;
  readonly lateDays: number;
};

/**
 * The earliest moment of the completion: once a check finds no rows, at the end of the late days.
 * Undefined before the first deletion.
 */
export function checkedUntil({ erasedAt, nextPassAt, lateDays }: Passes): string | undefined {
  if (erasedAt === null) return undefined;
  const endsAt = new Date(Date.parse(erasedAt) + lateDays * DAY_MS).toISOString();
  return nextPassAt !== null && nextPassAt > endsAt ? nextPassAt : endsAt;
}
