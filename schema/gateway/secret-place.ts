import type { Place } from '../values/sealing.ts';

export type GatewaySecretField = 'client_secret' | 'webhook_secret' | 'abandoned_checkout_secret';
export type WebhookSecretField = Exclude<GatewaySecretField, 'client_secret'>;
export type SecretGeneration = 'CURRENT' | 'PREVIOUS';

/**
 * Where a row of gateway_secrets is bound to: not its generation, so that a secret becomes the
 * previous one as it is.
 */
export function gatewaySecretPlace(workspaceId: string, field: GatewaySecretField): Place {
  return { table: 'gateway_secrets', rowId: workspaceId, field };
}
