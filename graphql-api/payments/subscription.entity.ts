import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant, textArray } from '../platform/database/columns.ts';
import type { TagList } from '../platform/exact-json.ts';

export const GatewaySubscriptionSchema = defineEntity({
  name: 'GatewaySubscription',
  tableName: 'gateway_subscriptions',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid(),
    workspaceId: p.uuid().nullable(),
    payerOrganizationId: p.uuid().nullable(),
    subscriptionId: p.text(),
    planId: p.text(),
    cfId: p.text().nullable(),
    status: p.text().default('CREATING'),
    statusAt: instant().nullable(),
    currency: p.text(),
    authorizationAmountMinor: p.bigint().nullable(),
    authorizationStatus: p.text().nullable(),
    paymentMethods: textArray(),
    paymentMethod: p.text().nullable(),
    mandateAuthorizationUrl: p.text().nullable(),
    sessionId: p.text().nullable(),
    firstChargeAt: instant().nullable(),
    nextChargeAt: instant().nullable(),
    expiresAt: instant().nullable(),
    tags: p.json<TagList>().default('[]'),
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

/** A customer's mandate to be charged by a plan. */
export class GatewaySubscription extends GatewaySubscriptionSchema.class {}
GatewaySubscriptionSchema.setClass(GatewaySubscription);
