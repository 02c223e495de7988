import type { Balances } from './wallet.ts';

/** An inflow repays the debt first. The rest goes to the account. */
export function inflow(
  balances: Balances,
  into: 'AVAILABLE' | 'CASH',
  amountMinor: bigint,
): Partial<Record<'AVAILABLE' | 'CASH' | 'DEBT', bigint>> {
  const repaid = min(-balances.DEBT, amountMinor);
  return { DEBT: repaid, [into]: amountMinor - repaid };
}

/**
 * Takes a clawback from the account that received the earning, then from the other kind, which is
 * convertible 1:1. The rest becomes debt. So a wallet never has both a balance and a debt.
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
