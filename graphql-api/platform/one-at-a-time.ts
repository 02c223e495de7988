import type { ActionScope } from './run-action.ts';

/** Until the end of the transaction, others with the same name wait here: so that what is counted
 * before it is added to does not pass its limit. Rows that are read meanwhile stay unlocked. */
export async function oneAtATime({ em }: ActionScope, name: string): Promise<void> {
  await em.execute('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [name]);
}
