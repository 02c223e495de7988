// The gateway credentials of a workspace, as named in the contract: app_id, secret_key,
// webhook_secret, webhook_secret_secondary, mode.

import { z } from 'zod';
import type { GatewaySecretField } from '../../schema/gateway/secret-place.ts';
import { overlap } from '../platform/whole-number.contract.ts';

/** Longer than any secret of the gateway, and short enough for a header. */
const SECRET_CHARACTERS_MAX = 512;
/**
 * A webhook secret that can be guessed allows forged payments. The fingerprint would also reveal
 * too much of a shorter one.
 */
const SECRET_CHARACTERS_MIN = 16;
const APP_ID_CHARACTERS_MAX = 100;

const GATEWAY_SECRETS = ['SECRET_KEY', 'WEBHOOK_SECRET', 'WEBHOOK_SECRET_SECONDARY'] as const;
export type GatewaySecretName = (typeof GATEWAY_SECRETS)[number];

/** The names of the secrets in the database, by their use. */
export const GATEWAY_SECRET_FIELDS: Readonly<Record<GatewaySecretName, GatewaySecretField>> = {
  SECRET_KEY: 'client_secret',
  WEBHOOK_SECRET: 'webhook_secret',
  WEBHOOK_SECRET_SECONDARY: 'abandoned_checkout_secret',
};

/** The gateway retries within hours, and operators resend missed webhooks within days. */
const OVERLAP_SECONDS_DEFAULT = 3 * 24 * 3600;
const OVERLAP_SECONDS_MAX = 30 * 24 * 3600;

const secret = z
  .string({ error: 'must be a string.' })
  .min(SECRET_CHARACTERS_MIN, { error: `must have at least ${SECRET_CHARACTERS_MIN} characters.` })
  .max(SECRET_CHARACTERS_MAX, { error: `must have at most ${SECRET_CHARACTERS_MAX} characters.` })
  .regex(/^[!-~]+$/, { error: 'must be printable ASCII without spaces.' });

const appId = z
  .string({ error: 'must be a string.' })
  .min(1, { error: 'must not be empty.' })
  .max(APP_ID_CHARACTERS_MAX, { error: `must have at most ${APP_ID_CHARACTERS_MAX} characters.` })
  .regex(/^[!-~]+$/, { error: 'must be printable ASCII without spaces.' });

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
  overlapSeconds: overlap(OVERLAP_SECONDS_MAX, OVERLAP_SECONDS_DEFAULT),
});
export type GatewaySecretRotate = z.output<typeof gatewaySecretRotateContract>;

export const gatewayCredentialsRemoveContract = z.strictObject({});

export const gatewayCredentialsTestContract = z.strictObject({});
