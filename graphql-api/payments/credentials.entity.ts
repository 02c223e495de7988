import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

export const GatewayCredentialsSchema = defineEntity({
  name: 'GatewayCredentials',
  tableName: 'gateway_credentials',
  properties: {
    workspaceId: p.uuid().primary(),
    mode: p.text().$type<'MANAGED' | 'BYOM'>(),
    environment: p.text().$type<'SANDBOX' | 'PRODUCTION'>(),
    clientId: p.text().nullable(),
    version: p.integer().default(1),
    checkedAt: instant().nullable(),
    checkResult: p.text().nullable(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});

/** The gateway settings of a workspace. Secrets are in gateway_secrets. */
export class GatewayCredentials extends GatewayCredentialsSchema.class {}
GatewayCredentialsSchema.setClass(GatewayCredentials);
