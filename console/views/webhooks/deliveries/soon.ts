// The time after which the list is stale because deliveries are in progress.

/** A try that is due within this is waited for. */
const SOON_MS = 60_000;
const LOOK_EVERY_MS = 2_000;

type Waiting = { readonly state: string; readonly nextAttemptAt: string | null };

/** How often to look again; undefined while nothing happens soon. */
export function soonMs(deliveries: readonly Waiting[]): number | undefined {
  const before = Date.now() + SOON_MS;
  const isSoon = deliveries.some(
    ({ state, nextAttemptAt }) =>
      state === 'PENDING' && (nextAttemptAt === null || Date.parse(nextAttemptAt) < before),
  );
  return isSoon ? LOOK_EVERY_MS : undefined;
}
