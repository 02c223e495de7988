/**
 * Enough requests, each over a new connection, that every thread has very likely responded. Threads
 * receive a change one after the other, within milliseconds.
 */
const TIMES = 10;

export async function onEveryThread(attempt: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < TIMES; i++) await attempt();
}
