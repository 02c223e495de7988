import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../platform/database/columns.ts';

export const ProgramTermsSchema = defineEntity({
  name: 'ProgramTerms',
  tableName: 'program_terms',
  properties: {
    region: p.text().primary(),
    currency: p.text(),
    currencySymbol: p.text(),
    creditRateBps: p.integer().default(1000),
    holdDays: p.integer(),
    commissionRateBps: p.integer().default(2000),
    commissionMonths: p.integer().default(12),
    commissionAgeDays: p.integer().default(30),
    payoutMinimumMinor: p.bigint().default('100000'),
    dormancyDays: p.integer().default(180),
    updatedAt: createdAt(),
  },
});

/** The terms of the partner program, per region of the referrer, set by the operator. */
export class ProgramTerms extends ProgramTermsSchema.class {}
ProgramTermsSchema.setClass(ProgramTerms);
