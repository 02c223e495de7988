// What a workspace tells us of its account at the payment gateway, in the contract's words: app_id,
// secret_key, webhook_secret, webhook_secret_secondary, mode.

import { z } from 'zod';
import type { GatewaySecretField } from '../../schema/gateway/secret-place.ts';

/** Above any gateway's; what a header may hold. */
const SECRET_CHARACTERS_MAX = 512;
/** Whoever guesses a webhook secret pays with nothing. Of shorter ones too much would be shown. */
const SECRET_CHARACTERS_MIN = 16;
const APP_ID_CHARACTERS_MAX = 100;

export const GATEWAY_SECRETS = [
  'SECRET_KEY',
  'WEBHOOK_SECRET',
  'WEBHOOK_SECRET_SECONDARY',
] as const;
export type GatewaySecretName = (typeof GATEWAY_SECRETS)[number];

/** How the database calls them: after what each is for. */
export const GATEWAY_SECRET_FIELDS: Readonly<Record<GatewaySecretName, GatewaySecretField>> = {
  SECRET_KEY: 'client_secret',
  WEBHOOK_SECRET: 'webhook_secret',
  WEBHOOK_SECRET_SECONDARY: 'abandoned_checkout_secret',
};

/** The gateway retries within hours, and operators send missed webhooks again within days. */
const OVERLAP_SECONDS_DEFAULT = 3 * 24 * 3600;
const OVERLAP_SECONDS_MAX = 30 * 24 * 3600;

const secret = z
  .string({ error: 'must be a string.' })
  .min(SECRET_CHARACTERS_MIN, { error: `has fewer than ${SECRET_CHARACTERS_MIN} characters.` })
  .max(SECRET_CHARACTERS_MAX, { error: `has more than ${SECRET_CHARACTERS_MAX} characters.` })
  .regex(/^[!-~]+$/, { error: 'must be printable ASCII without blanks.' });

const appId = z
  .string({ error: 'must be a string.' })
  .min(1, { error: 'is empty.' })
  .max(APP_ID_CHARACTERS_MAX, { error: `has more than ${APP_ID_CHARACTERS_MAX} characters.` })
  .regex(/^[!-~]+$/, { error: 'must be printable ASCII without blanks.' });

export const gatewayCredentialsSetContract = z.strictObject({
  onboarding: z.enum(['MANAGED', 'BYOM']),
  mode: z.enum(['SANDBOX', 'PRODUCTION']),
  appId: appId.nullish(),
  secretKey: secret.nullish(),
  webhookSecret: secret.nullish(),
  webhookSecretSecondary: secret.nullish(),
  version: z.int().min(1).nullish(),
});
export type GatewayCredentialsSet = z.output<typeof gatewayCredentialsSetContract>;

export const gatewaySecretRotateContract = z.strictObject({
  secret: z.enum(GATEWAY_SECRETS),
  value: secret,
  overlapSeconds: z
    .int({ error: 'must be a whole number.' })
    .min(0, { error: 'must be at least 0.' })
    .max(OVERLAP_SECONDS_MAX, { error: `must be at most ${OVERLAP_SECONDS_MAX}.` })
    .nullish()
    .transform(seconds => seconds ?? OVERLAP_SECONDS_DEFAULT),
});
export type GatewaySecretRotate = z.output<typeof gatewaySecretRotateContract>;

export const gatewayCredentialsRemoveContract = z.strictObject({});
