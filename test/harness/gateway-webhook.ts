// Sends webhooks like the payment gateway, and reads their rows in the inbox.

import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parseEncryptionKeys } from '../../schema/environment/encryption-keys.ts';
import {
  type GatewaySecretField,
  gatewaySecretPlace,
  type SecretGeneration,
} from '../../schema/gateway/secret-place.ts';
import { signGatewayBody } from '../../schema/gateway/signature.ts';
import { WEBHOOK_PATH } from '../../schema/gateway/webhook-path.ts';
import { createSecrets } from '../../schema/values/sealing.ts';
import { type Answer, type Request, send } from './http.ts';
import { sql } from './tenant.ts';

export { WEBHOOK_PATH };

const SAMPLES = join(import.meta.dirname, 'gateway-samples');
const NOT_EVENTS = ['signature-vectors.json'];

export const ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;

export type SignatureVector = {
  readonly name: string;
  readonly secret: string;
  readonly timestamp: string;
  readonly body: string;
  readonly signature: string;
};

/** Created with an independent implementation of the signature scheme. */
export const SIGNATURE_VECTORS = JSON.parse(
  readFileSync(join(SAMPLES, 'signature-vectors.json'), 'utf8'),
) as readonly SignatureVector[];

/** The bytes of each sample from the gateway's documentation, by file name. */
export const GATEWAY_SAMPLES: readonly (readonly [name: string, body: Buffer])[] = readdirSync(
  SAMPLES,
)
  .filter(name => !NOT_EVENTS.includes(name))
  .toSorted()
  .map(name => [name, readFileSync(join(SAMPLES, name))]);

export function newSecret(): string {
  return `whs_${randomBytes(24).toString('base64url')}`;
}

export type WebhookOptions = Request & {
  readonly secret: string;
  readonly timestamp?: string;
  readonly query?: string;
};

/** Signs and posts exactly these bytes. */
export function postWebhook(
  ingest: { readonly url: string },
  body: string | Uint8Array,
  { secret, timestamp = String(Date.now()), query = '', ...request }: WebhookOptions,
): Promise<Answer> {
  const bytes = Buffer.from(body);
  return send(`${ingest.url}${WEBHOOK_PATH}${query}`, {
    ...request,
    body: bytes,
    headers: {
      'content-type': 'application/json',
      'x-webhook-version': '2025-01-01',
      'x-webhook-attempt': '1',
      'x-webhook-timestamp': timestamp,
      'x-webhook-signature': signGatewayBody(secret, timestamp, bytes),
      ...request.headers,
    },
  });
}

export function expectAcknowledged(answer: Answer): void {
  expect([answer.status, answer.text]).toEqual([200, '{"status":"SUCCESS"}']);
}

/** An event for a payment that no other test uses; `fields` are added to its order. */
export function paymentEvent(
  id = `pay-${randomBytes(8).toString('hex')}`,
  fields: Readonly<Record<string, unknown>> = {},
): { readonly id: string; readonly text: string } {
  const data = {
    order: { order_id: `order-${id}`, order_amount: 1, order_currency: 'INR', ...fields },
    payment: { cf_payment_id: id, payment_status: 'SUCCESS', payment_amount: 1 },
  };
  const event = { data, event_time: '2026-01-15T11:16:10+05:30', type: 'PAYMENT_SUCCESS_WEBHOOK' };
  return { id, text: JSON.stringify(event) };
}

/** The rows of the inbox whose key or body contains the text. */
export function inboxRows(text: string): Promise<Record<string, unknown>[]> {
  return sql(
    `SELECT * FROM gateway_events
     WHERE strpos(event_key, $1) > 0 OR position(convert_to($1, 'UTF8') IN body) > 0
     ORDER BY received_at, id`,
    [text],
  );
}

export type WorkspaceSecret = {
  readonly workspaceId: string;
  readonly secret: string;
  readonly field?: GatewaySecretField;
  readonly generation?: SecretGeneration;
  /** When a PREVIOUS secret expires. */
  readonly expiresAt?: Date;
  readonly encryptionKeys?: string;
  /** A database other than the one shared by the run. */
  readonly databaseUrl?: string;
};

/** Seals a secret into Postgres without the API, replacing one of the same field and generation. */
export async function putWorkspaceSecret({
  workspaceId,
  secret,
  field = 'webhook_secret',
  generation = 'CURRENT',
  expiresAt,
  encryptionKeys = ENCRYPTION_KEYS,
  databaseUrl,
}: WorkspaceSecret): Promise<void> {
  const sealing = createSecrets(parseEncryptionKeys(encryptionKeys)!);
  const { keyId, sealed } = sealing.seal(gatewaySecretPlace(workspaceId, field), secret);
  await sql(
    `INSERT INTO gateway_credentials (workspace_id, mode, environment, client_id)
     VALUES ($1, 'BYOM', 'SANDBOX', 'client') ON CONFLICT DO NOTHING`,
    [workspaceId],
    databaseUrl,
  );
  await sql(
    `INSERT INTO gateway_secrets (workspace_id, field, generation, key_id, sealed, fingerprint, expires_at)
     VALUES ($1, $2, $3, $4, $5, 'none', $6)
     ON CONFLICT (workspace_id, field, generation)
     DO UPDATE SET key_id = excluded.key_id, sealed = excluded.sealed, expires_at = excluded.expires_at`,
    [workspaceId, field, generation, keyId, sealed, expiresAt ?? null],
    databaseUrl,
  );
}
