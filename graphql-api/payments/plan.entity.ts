import { defineEntity, p } from '@mikro-orm/core';
import { objectColumns } from './object-columns.ts';

export const GatewayPlanSchema = defineEntity({
  name: 'GatewayPlan',
  tableName: 'gateway_plans',
  properties: {
    ...objectColumns(),
    planId: p.text(),
    name: p.text(),
    type: p.text(),
    currency: p.text(),
    maxAmountMinor: p.bigint(),
    recurringAmountMinor: p.bigint().nullable(),
    intervalType: p.text().nullable(),
    intervals: p.integer().nullable(),
    maxCycles: p.integer().nullable(),
    note: p.text().nullable(),
  },
});

/** A plan that defines how subscriptions are charged. */
export class GatewayPlan extends GatewayPlanSchema.class {}
GatewayPlanSchema.setClass(GatewayPlan);
