import type { Balances } from './wallet.ts';

/** What comes in repays the debt first; only the rest is the partner's. */
export function inflow(
  balances: Balances,
  into: 'AVAILABLE' | 'CASH',
  amountMinor: bigint,
): Partial<Record<'AVAILABLE' | 'CASH' | 'DEBT', bigint>> {
  const repaid = min(-balances.DEBT, amountMinor);
  return { DEBT: repaid, [into]: amountMinor - repaid };
}

/**
 * What a clawback takes: from where the earning went, then from the other kind, which can be had for
 * it 1:1, and what neither has becomes debt. So nobody has a balance and a debt.
 */
export function outflow(
  balances: Balances,
  outOf: 'AVAILABLE' | 'CASH',
  amountMinor: bigint,
): Partial<Record<'AVAILABLE' | 'CASH' | 'DEBT', bigint>> {
  const other = outOf === 'AVAILABLE' ? 'CASH' : 'AVAILABLE';
  const first = min(balances[outOf], amountMinor);
  const second = min(balances[other], amountMinor - first);
  return { [outOf]: -first, [other]: -second, DEBT: -(amountMinor - first - second) };
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
