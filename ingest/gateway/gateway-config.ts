// The webhook secrets of the platform's own merchant account, and the maximum age of a webhook.

import { z } from 'zod';
import type { SecretGeneration, WebhookSecretField } from '../../schema/gateway/secret-place.ts';

export type GatewayConfig = {
  /** In the order in which they are tried. */
  readonly platformSecrets: readonly PlatformSecret[];
  /**
   * Undefined: any age is accepted. The gateway retries for hours, possibly with the first
   * timestamp.
   */
  readonly toleranceMs: number | undefined;
};

type PlatformSecret = {
  readonly field: WebhookSecretField;
  readonly generation: SecretGeneration;
  readonly secret: string;
};

/** Whitespace that was copied with a secret would make every signature invalid. */
const secret = z.string().regex(/^\S+$/, 'must not contain whitespace').optional();

export const gatewayEnvironment = {
  GATEWAY_WEBHOOK_SECRET: secret,
  GATEWAY_WEBHOOK_SECRET_PREVIOUS: secret,
  GATEWAY_ABANDONED_CHECKOUT_SECRET: secret,
  GATEWAY_ABANDONED_CHECKOUT_SECRET_PREVIOUS: secret,
  GATEWAY_WEBHOOK_TOLERANCE_SECONDS: z.coerce.number().int().min(1).optional(),
} as const;

type Variables = z.infer<z.ZodObject<typeof gatewayEnvironment>>;
type SecretVariable = Exclude<keyof Variables, 'GATEWAY_WEBHOOK_TOLERANCE_SECONDS'>;

/** Most events are signed with the first secret. */
const ORDER: readonly (readonly [SecretVariable, WebhookSecretField, SecretGeneration])[] = [
  ['GATEWAY_WEBHOOK_SECRET', 'webhook_secret', 'CURRENT'],
  ['GATEWAY_WEBHOOK_SECRET_PREVIOUS', 'webhook_secret', 'PREVIOUS'],
  ['GATEWAY_ABANDONED_CHECKOUT_SECRET', 'abandoned_checkout_secret', 'CURRENT'],
  ['GATEWAY_ABANDONED_CHECKOUT_SECRET_PREVIOUS', 'abandoned_checkout_secret', 'PREVIOUS'],
];

export function readGatewayConfig(values: Variables): GatewayConfig {
  const seconds = values.GATEWAY_WEBHOOK_TOLERANCE_SECONDS;
  return {
    platformSecrets: ORDER.flatMap(([name, field, generation]) => {
      const text = values[name];
      return text === undefined ? [] : [{ field, generation, secret: text }];
    }),
    toleranceMs: seconds === undefined ? undefined : seconds * 1000,
  };
}

/** If only one secret is set, events signed with the other one are lost silently. */
export function missingSecret({ platformSecrets }: GatewayConfig): SecretVariable | undefined {
  const current = platformSecrets.filter(({ generation }) => generation === 'CURRENT');
  if (current.length !== 1) return undefined;
  return current[0]!.field === 'webhook_secret'
    ? 'GATEWAY_ABANDONED_CHECKOUT_SECRET'
    : 'GATEWAY_WEBHOOK_SECRET';
}
