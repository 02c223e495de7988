// Signs webhooks: https://www.standardwebhooks.com, version 1, symmetric.

import { createHmac, randomBytes } from 'node:crypto';
import type { Place } from '../../schema/values/sealing.ts';

const PREFIX = 'whsec_';
/** The standard allows 24 to 64 bytes; this is the length of the hash. */
const SECRET_BYTES = 32;

type Signed = {
  /** The event ID, identical for all attempts and endpoints. */
  readonly id: string;
  /** The time of the attempt, in seconds. */
  readonly timestamp: number;
  /** The exact request body. */
  readonly body: string;
};

/** The secret is returned to the caller once, and stored sealed at `webhookSecretPlace`. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export function webhookSecretPlace(endpointId: string): Place {
  return { table: 'webhook_secrets', rowId: endpointId, field: 'signing_secret' };
}

/**
 * Contains one signature per valid secret, so that receivers can switch at any time of an overlap.
 */
export function signatureHeader(secrets: readonly string[], { id, timestamp, body }: Signed) {
  const content = `${id}.${timestamp}.${body}`;
  return secrets
    .map(secret => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
    })
    .join(' ');
}
