/** Only a failing test waits this long. A busy machine takes several times as long as an idle one. */
const DEADLINE_MS = 240_000;
const INTERVAL_MS = 150;

/** Repeats `attempt` until it no longer throws; at the deadline, throws the last error. */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  { deadlineMs = DEADLINE_MS, intervalMs = INTERVAL_MS } = {},
): Promise<T> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() >= end) throw error;
      await new Promise(resolve => setTimeout(resolve, intervalMs));
    }
  }
}
