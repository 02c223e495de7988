import { defineEntity, p } from '@mikro-orm/core';
import type { TagList } from '../../schema/values/exact-json.ts';
import { instant, textArray } from '../platform/database/columns.ts';
import { objectColumns } from './object-columns.ts';

export const GatewaySubscriptionSchema = defineEntity({
  name: 'GatewaySubscription',
  tableName: 'gateway_subscriptions',
  properties: {
    ...objectColumns(),
    payerOrganizationId: p.uuid().nullable(),
    subscriptionId: p.text(),
    planId: p.text(),
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
  },
});

/** A customer's mandate for charges according to a plan. */
export class GatewaySubscription extends GatewaySubscriptionSchema.class {}
GatewaySubscriptionSchema.setClass(GatewaySubscription);
