// When the passes of an erasure run, and the state after each.

import { DAY_MS, MINUTE_MS } from '../../schema/values/durations.ts';
import type { ErasureState } from './person-erasure.entity.ts';

/** Ingest keeps delivered segments for 30 minutes and may insert them again in that time. */
const SETTLE_MS = 45 * MINUTE_MS;
/** Longer than a pass may take. After it, another process takes over. */
export const LEASE_MS = 90 * MINUTE_MS;

type Standing = {
  readonly state: ErasureState;
  readonly lateDays: number;
  readonly erasedAt: Date | null;
};

type Next = {
  readonly state: ErasureState;
  readonly nextPassAt: Date | null;
  readonly erasedAt: Date;
  readonly completedAt: Date | null;
};

/**
 * The state after a pass that ended now. `isSettled`: no spool holds rows from before the first pass. `isClean`:
 * the last count found no rows.
 */
export function afterPass(
  { state, lateDays, erasedAt }: Standing,
  now: Date,
  { isSettled, isClean }: { readonly isSettled: boolean; readonly isClean: boolean },
): Next {
  const stay = { state, erasedAt: erasedAt ?? now, completedAt: null };
  if (erasedAt === null || state === 'QUEUED' || state === 'RUNNING')
    return { ...stay, state: 'SETTLING', nextPassAt: later(now, SETTLE_MS) };
  if (!isClean || (state === 'SETTLING' && !isSettled))
    return { ...stay, nextPassAt: later(now, SETTLE_MS) };
  const endsAt = later(erasedAt, lateDays * DAY_MS);
  if (now >= endsAt) return { ...stay, state: 'COMPLETED', nextPassAt: null, completedAt: now };
  const nextPassAt = new Date(Math.min(later(now, DAY_MS).getTime(), endsAt.getTime()));
  return { ...stay, state: 'WATCHING', nextPassAt };
}

function later(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}
