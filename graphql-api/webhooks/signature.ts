// How webhooks are signed: https://www.standardwebhooks.com, version 1, symmetric.

import { createHmac, randomBytes } from 'node:crypto';
import type { Place } from '../../schema/values/sealing.ts';

const PREFIX = 'whsec_';
/** Of the 24 to 64 that the standard allows: as many as the hash has. */
const SECRET_BYTES = 32;

export type Signed = {
  /** The same for every attempt and every endpoint. */
  readonly id: string;
  /** Of the attempt, in seconds. */
  readonly timestamp: number;
  /** Exactly what is sent. */
  readonly body: string;
};

/** Shown once; sealed at `webhookSecretPlace`. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export function webhookSecretPlace(endpointId: string): Place {
  return { table: 'webhook_secrets', rowId: endpointId, field: 'signing_secret' };
}

/** One signature per secret that counts, so that receivers may change theirs at any time between. */
export function signatureHeader(secrets: readonly string[], { id, timestamp, body }: Signed) {
  const content = `${id}.${timestamp}.${body}`;
  return secrets
    .map(secret => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
    })
    .join(' ');
}
