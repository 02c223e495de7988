import type { Context } from '../context.ts';
import { readAcrossTenants } from '../database/across-tenants.ts';
import { requirePageSize } from '../database/page.ts';
import { type DeadLetter, readDeadLetters } from './dead-letters.ts';

/** The latest first: one look at what needs a hand, not a list to leaf through. */
export async function deadLetters(context: Context, first: number): Promise<readonly DeadLetter[]> {
  requirePageSize(first);
  return readAcrossTenants(context, em => readDeadLetters(em, first));
}
