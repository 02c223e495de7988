import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

export const GatewayPlanSchema = defineEntity({
  name: 'GatewayPlan',
  tableName: 'gateway_plans',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid(),
    workspaceId: p.uuid().nullable(),
    planId: p.text(),
    cfId: p.text().nullable(),
    status: p.text().default('CREATING'),
    statusAt: instant().nullable(),
    name: p.text(),
    type: p.text(),
    currency: p.text(),
    maxAmountMinor: p.bigint(),
    recurringAmountMinor: p.bigint().nullable(),
    intervalType: p.text().nullable(),
    intervals: p.integer().nullable(),
    maxCycles: p.integer().nullable(),
    note: p.text().nullable(),
    requestHash: p.text().nullable(),
    idempotencyKey: p.text().nullable(),
    errorCode: p.text().nullable(),
    errorMessage: p.text().nullable(),
    checkedAt: instant().nullable(),
    createdBy: p.text().nullable(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});

/** A plan that subscriptions are charged by. */
export class GatewayPlan extends GatewayPlanSchema.class {}
GatewayPlanSchema.setClass(GatewayPlan);
