import type { Context } from '../context.ts';
import { type DeadLetter, readDeadLetters } from '../jobs/dead-letters.ts';
import { readAcrossTenants } from './across-tenants.ts';
import { requirePageSize } from './page.ts';

/** The latest first: one look at what needs a hand, not a list to leaf through. */
export async function deadLetters(context: Context, first: number): Promise<readonly DeadLetter[]> {
  requirePageSize(first);
  return readAcrossTenants(context, em => readDeadLetters(em, first));
}
