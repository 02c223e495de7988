import { asTyped, readAmount } from '../../../pieces/decimal.ts';
import type { Terms } from './terms-query.ts';

/** The rates as percentages, and all as typed. */
export type TypedTerms = {
  readonly creditRate: number | string;
  readonly holdDays: number | string;
  readonly commissionRate: number | string;
  readonly commissionMonths: number | string;
  readonly commissionAgeDays: number | string;
  readonly dormancyDays: number | string;
  readonly payoutMinimum: string;
};

const BPS_PER_PERCENT = 100;

export function typedOf(terms: Terms): TypedTerms {
  const { holdDays, commissionMonths, commissionAgeDays, dormancyDays, payoutMinimum } = terms;
  return {
    creditRate: terms.creditRateBps / BPS_PER_PERCENT,
    commissionRate: terms.commissionRateBps / BPS_PER_PERCENT,
    holdDays,
    commissionMonths,
    commissionAgeDays,
    dormancyDays,
    payoutMinimum: asTyped(payoutMinimum.amount),
  };
}

/** Undefined if the minimum is not an amount. The fields check the numbers. */
export function inputOf(region: string, typed: TypedTerms) {
  const payoutMinimum = readAmount(typed.payoutMinimum);
  if (payoutMinimum === undefined) return undefined;
  return {
    region,
    creditRateBps: bpsOf(typed.creditRate),
    commissionRateBps: bpsOf(typed.commissionRate),
    holdDays: Number(typed.holdDays),
    commissionMonths: Number(typed.commissionMonths),
    commissionAgeDays: Number(typed.commissionAgeDays),
    dormancyDays: Number(typed.dormancyDays),
    payoutMinimum,
  };
}

/** Two decimals of a percentage are whole basis points, up to the error of the multiplication. */
function bpsOf(percent: number | string): number {
  return Math.round(Number(percent) * BPS_PER_PERCENT);
}
