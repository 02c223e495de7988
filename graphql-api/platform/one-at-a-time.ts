import { rowsOf, sql } from './database/kysely.ts';
import type { ActionScope } from './run-action.ts';

/** Serializes transactions by name, so that a limit that is checked by counting rows before an insert
 * is not exceeded. */
export async function oneAtATime({ em }: ActionScope, name: string): Promise<void> {
  await rowsOf(em, sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}
