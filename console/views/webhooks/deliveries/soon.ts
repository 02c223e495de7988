// How often the log is refetched: deliveries arrive and change by themselves.

/** An attempt that is due within this is waited for. */
const SOON_MS = 60_000;
const SOON_LOOK_MS = 2_000;
export const LOOK_MS = 10_000;

type Waiting = { readonly state: string; readonly nextAttemptAt: string | null };

export function lookMs(deliveries: readonly Waiting[]): number {
  const before = Date.now() + SOON_MS;
  const isSoon = deliveries.some(
    ({ state, nextAttemptAt }) =>
      state === 'PENDING' && (nextAttemptAt === null || Date.parse(nextAttemptAt) < before),
  );
  return isSoon ? SOON_LOOK_MS : LOOK_MS;
}
