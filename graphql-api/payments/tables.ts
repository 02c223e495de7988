import type { TablesOf } from '../platform/database/kysely.ts';
import { GatewayCredentialsSchema } from './credentials.entity.ts';
import { GatewayDisputeSchema } from './dispute.entity.ts';
import { GatewayEffectSchema } from './effect.entity.ts';
import { GatewayLinkSchema } from './link.entity.ts';
import { GatewayOrderSchema } from './order.entity.ts';
import { GatewayPaymentSchema } from './payment.entity.ts';
import { GatewayPlanSchema } from './plan.entity.ts';
import { GatewayRefundSchema } from './refund.entity.ts';
import { GatewaySettlementSchema } from './settlement.entity.ts';
import { GatewaySubscriptionSchema } from './subscription.entity.ts';
import { GatewayVendorSchema } from './vendor.entity.ts';

/** What the ORM knows; a test compares each with its table. */
export const PAYMENTS_ENTITIES = [
  GatewayCredentialsSchema,
  GatewayDisputeSchema,
  GatewayEffectSchema,
  GatewayLinkSchema,
  GatewayOrderSchema,
  GatewayPaymentSchema,
  GatewayPlanSchema,
  GatewayRefundSchema,
  GatewaySettlementSchema,
  GatewaySubscriptionSchema,
  GatewayVendorSchema,
] as const;

declare module '../platform/database/kysely.ts' {
  interface Tables extends TablesOf<typeof PAYMENTS_ENTITIES> {}
}
