import type { FieldWords } from '../refused-field.ts';
import type { PlanInput } from './plans-query.ts';

export type TypedPlan = {
  readonly name: string;
  readonly type: PlanInput['type'];
  readonly amount: string;
  readonly interval: NonNullable<PlanInput['interval']>;
  /** Empty while nothing is typed. */
  readonly intervals: number | '';
  readonly maxAmount: string;
  readonly maxCycles: number | '';
};

/** Mandates are authorized in rupees. */
export const CURRENCY = 'INR';

export const NO_PLAN: TypedPlan = {
  name: '',
  type: 'PERIODIC',
  amount: '',
  interval: 'MONTH',
  intervals: 1,
  maxAmount: '',
  maxCycles: '',
};

export const PLAN_WORDS = {
  name: 'Enter a name of at most 40 characters.',
  recurringAmount: 'Enter an amount that is not above the maximum amount.',
  interval: 'Choose another unit.',
  intervals: 'Enter a whole number from 1 to 365.',
  maxAmount: 'Enter an amount.',
  maxCycles: 'Enter a whole number from 1 to 36,500, or leave the field empty.',
} as const satisfies FieldWords;
