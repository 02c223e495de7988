import { z } from 'zod';
import { text } from '../../schema/values/text.ts';
import { amountDecimal } from '../platform/amount.contract.ts';
import { currency } from './customer.contract.ts';
import { note, sanitisedNote } from './note.contract.ts';

const NAME_CHARACTERS_MAX = 40;
const NOTE_CHARACTERS_MAX = 100;
/** A hundred years of daily charges. */
const CYCLES_MAX = 36_500;
const INTERVALS_MAX = 365;

const PERIODIC_FIELDS = ['recurringAmount', 'interval', 'intervals'] as const;

export const PLAN_INTERVALS = ['DAY', 'WEEK', 'MONTH', 'YEAR'] as const;

export const gatewayPlanCreateContract = z
  .strictObject({
    name: text(NAME_CHARACTERS_MAX)
      .transform(value => sanitisedNote(value) ?? '')
      .refine(value => value !== '', { error: 'must not be empty.' }),
    type: z.enum(['PERIODIC', 'ON_DEMAND']),
    currency,
    maxAmount: amountDecimal,
    recurringAmount: amountDecimal.nullish(),
    interval: z.enum(PLAN_INTERVALS).nullish(),
    intervals: z.int().min(1).max(INTERVALS_MAX).nullish(),
    maxCycles: z.int().min(1).max(CYCLES_MAX).nullish(),
    note: note(NOTE_CHARACTERS_MAX),
  })
  .check(({ value, issues }) => {
    for (const name of PERIODIC_FIELDS) {
      const isGiven = value[name] != null;
      if (isGiven === (value.type === 'PERIODIC')) continue;
      const message = isGiven
        ? 'is only allowed for a periodic plan.'
        : 'is required for a periodic plan.';
      issues.push({ code: 'custom', input: value, path: [name], message });
    }
    const { recurringAmount, maxAmount } = value;
    if (recurringAmount != null && Number(recurringAmount) > Number(maxAmount)) {
      const message = 'must not exceed maxAmount.';
      issues.push({ code: 'custom', input: value, path: ['recurringAmount'], message });
    }
  });
export type GatewayPlanCreate = z.output<typeof gatewayPlanCreateContract>;
