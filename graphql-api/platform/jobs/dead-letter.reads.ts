import type { Context } from '../context.ts';
import { readAcrossTenants } from '../database/across-tenants.ts';
import { requirePageSize } from '../database/page.ts';
import { type DeadLetter, readDeadLetters } from './dead-letters.ts';

/** The newest first, without pagination. */
export async function deadLetters(context: Context, first: number): Promise<readonly DeadLetter[]> {
  requirePageSize(first);
  return readAcrossTenants(context, em => readDeadLetters(em, first));
}
