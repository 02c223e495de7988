/**
 * Often enough, over a new connection each time, that every thread of a process has very likely
 * answered: threads hear of a change one after the other, within milliseconds.
 */
const TIMES = 10;

export async function onEveryThread(attempt: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < TIMES; i++) await attempt();
}
