import type { ColumnType, Generated } from 'kysely';
import type { GatewaySecretField, SecretGeneration } from '../../schema/gateway/secret-place.ts';
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

/** The entities that the ORM maps; a test compares each with its table. */
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

/** A signed body in the inbox. Lists must not load the body. */
type GatewayEventRow = {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  readonly family: string;
  readonly body: Buffer;
  readonly receivedAt: Date;
  readonly eventAt: Date | null;
  readonly state: 'RECEIVED' | 'PROCESSED' | 'IGNORED' | 'FAILED' | 'PARKED';
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly processedAt: Date | null;
  readonly error: string | null;
  readonly effect: ColumnType<{ readonly names: readonly string[] } | null, never, string>;
  readonly workspaceId: string | null;
  /** Of the webhook request. */
  readonly requestId: string | null;
};

/** Without an entity, so that reads do not load secrets. */
type GatewaySecretRow = {
  readonly workspaceId: string;
  readonly field: GatewaySecretField;
  readonly generation: SecretGeneration;
  readonly keyId: string;
  readonly sealed: string;
  readonly fingerprint: string;
  readonly createdAt: Date;
  readonly expiresAt: Generated<Date | null>;
};

declare module '../platform/database/kysely.ts' {
  interface Tables extends TablesOf<typeof PAYMENTS_ENTITIES> {
    gateway_events: GatewayEventRow;
    gateway_secrets: GatewaySecretRow;
    gateway_awaited: { eventId: string; accountId: string; object: string };
    gateway_link_orders: { accountId: string; orderId: string; linkId: string };
  }
}
