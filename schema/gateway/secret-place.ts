import type { Place } from '../values/sealing.ts';

export type GatewaySecretField = 'client_secret' | 'webhook_secret' | 'abandoned_checkout_secret';
export type WebhookSecretField = Exclude<GatewaySecretField, 'client_secret'>;
export type SecretGeneration = 'CURRENT' | 'PREVIOUS';

/**
 * Binds a sealed secret to its row. The generation is not included, so that a secret can become the
 * previous one without being resealed.
 */
export function gatewaySecretPlace(workspaceId: string, field: GatewaySecretField): Place {
  return { table: 'gateway_secrets', rowId: workspaceId, field };
}
