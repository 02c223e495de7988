import type { z } from 'zod';
import { contractRejections } from '../platform/contract-rejections.ts';
import { Rejected } from '../platform/rejected.ts';

/** Arguments of a query, with null as not given. Rejects with BAD_USER_INPUT. */
export function parseContract<Contract extends z.ZodType>(
  contract: Contract,
  given: Readonly<Record<string, unknown>>,
): z.output<Contract> {
  const named = Object.entries(given).filter(([, value]) => value != null);
  const parsed = contract.safeParse(Object.fromEntries(named));
  if (!parsed.success) throw new Rejected(contractRejections(parsed.error));
  return parsed.data;
}
