import { defineEntity, p } from '@mikro-orm/core';
import type { SecretGeneration, WebhookSecretField } from '../../schema/gateway/secret-place.ts';
import { instant } from '../platform/database/columns.ts';

const GatewayEventSchema = defineEntity({
  name: 'GatewayEvent',
  tableName: 'gateway_events',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid(),
    eventKey: p.text(),
    type: p.text(),
    family: p.text(),
    version: p.text().default(''),
    body: p.blob().columnType('bytea').lazy(),
    verifiedField: p.text().$type<WebhookSecretField>(),
    verifiedGeneration: p.text().$type<SecretGeneration>(),
    receivedAt: instant(),
    eventAt: instant().nullable(),
    state: p
      .text()
      .$type<'RECEIVED' | 'PROCESSED' | 'IGNORED' | 'FAILED' | 'PARKED'>()
      .default('RECEIVED'),
    attempts: p.integer().default('0'),
    nextAttemptAt: instant().nullable(),
    processedAt: instant().nullable(),
    error: p.text().nullable(),
    reader: p.smallint().default(0),
    effect: p.json<Readonly<Record<string, unknown>>>().nullable(),
    workspaceId: p.uuid().nullable(),
  },
});

/** What the payment gateway told us, as it was signed, and what came of it. */
export class GatewayEvent extends GatewayEventSchema.class {}
GatewayEventSchema.setClass(GatewayEvent);
