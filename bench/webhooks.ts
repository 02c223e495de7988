// Webhooks of the payment gateway: events of realistic size, each with a new signature. First at a
// steady rate, to measure latency, then at the maximum rate of the connections.

import { randomBytes } from 'node:crypto';
import { parseEncryptionKeys } from '../schema/environment/encryption-keys.ts';
import { mintId } from '../schema/gateway/minted-id.ts';
import { gatewaySecretPlace } from '../schema/gateway/secret-place.ts';
import { signGatewayBody } from '../schema/gateway/signature.ts';
import { WEBHOOK_PATH } from '../schema/gateway/webhook-path.ts';
import { createSecrets } from '../schema/values/sealing.ts';
import type { Bench } from './bench.ts';
import { driveHttp } from './drive-http.ts';
import { quantileMs, rateOf } from './measured.ts';
import type { Row } from './print-table.ts';
import { type Stack, startStack } from './stack.ts';

const CONNECTIONS = 32;
/** The target on two cores shared with the load generator and Postgres. */
const RATE = 3_000;
/**
 * A fresh process compiles its hot code first; no gateway starts with thousands of webhooks per
 * second.
 */
const WARM_UP_SECONDS = 3;
/** The time until ingest knows a secret: at most a second. */
const HEARD_MS = 1_500;

const ENCRYPTION_KEYS = `bench:${randomBytes(32).toString('base64')}`;
const PLATFORM_SECRET = randomBytes(24).toString('base64url');
const WORKSPACE_SECRET = randomBytes(24).toString('base64url');

type Scenario = {
  readonly name: string;
  readonly secret: string;
  readonly body: (count: number) => string;
  /** Events per second; undefined for the maximum rate. */
  readonly rate?: number;
};

export const webhooksBench: Bench = {
  name: 'webhooks',
  title:
    'Payment gateway webhooks (2 threads of ingest; Postgres and the load generator on the same machine; a 200 means committed)',
  run: async ({ seconds, progress }) => {
    progress('starting Postgres, ClickHouse and ingest');
    const stack = await startStack({ ENCRYPTION_KEYS, GATEWAY_WEBHOOK_SECRET: PLATFORM_SECRET });
    try {
      await giveSecret(stack);
      await new Promise(resolve => setTimeout(resolve, HEARD_MS));
      progress('warming up');
      await measure(stack, scenarios(stack).at(-1)!, WARM_UP_SECONDS);
      const rows: Row[] = [];
      for (const scenario of scenarios(stack)) {
        progress(scenario.name);
        rows.push(await measure(stack, scenario, seconds));
      }
      return rows;
    } finally {
      await stack.stop();
    }
  },
};

function scenarios({ tenant }: Stack): Scenario[] {
  const platform = { secret: PLATFORM_SECRET };
  const workspace = { secret: WORKSPACE_SECRET };
  return [
    { ...platform, name: `new events at ${RATE}/s`, body: newEvent(), rate: RATE },
    {
      ...workspace,
      name: 'the same, for a workspace’s own account',
      body: newEvent(tenant.workspaceId),
      rate: RATE,
    },
    { ...platform, name: 'new events', body: newEvent() },
    { ...platform, name: 'duplicates of one', body: () => eventText('again', undefined) },
  ];
}

async function measure(
  { ingestUrl }: Stack,
  { name, secret, body, rate }: Scenario,
  seconds: number,
): Promise<Row> {
  const measured = await driveHttp({
    url: ingestUrl + WEBHOOK_PATH,
    connections: CONNECTIONS,
    seconds,
    ...(rate === undefined ? {} : { rate }),
    body,
    headers: text => {
      const timestamp = String(Date.now());
      return {
        'content-type': 'application/json',
        'x-webhook-version': '2025-01-01',
        'x-webhook-timestamp': timestamp,
        'x-webhook-signature': signGatewayBody(secret, timestamp, Buffer.from(text)),
      };
    },
  });
  return {
    scenario: name,
    'events/s': Math.round(rateOf(measured)),
    'p50 ms': quantileMs(measured, 0.5),
    'p99 ms': quantileMs(measured, 0.99),
    failed: measured.failed,
  };
}

function newEvent(workspaceId?: string): (count: number) => string {
  const run = randomBytes(6).toString('hex');
  return count => eventText(`${run}-${count}`, workspaceId);
}

function eventText(id: string, workspaceId: string | undefined): string {
  const data = {
    order: {
      order_id: mintId('order', workspaceId, crypto.randomUUID()),
      order_amount: 2,
      order_currency: 'INR',
      order_tags: null,
    },
    payment: {
      cf_payment_id: id,
      payment_status: 'SUCCESS',
      payment_amount: 1,
      payment_currency: 'INR',
      payment_message: '00::Transaction success',
      payment_time: '2026-01-15T12:20:29+05:30',
      bank_reference: '234928698581',
      payment_method: { upi: { channel: 'collect', upi_id: 'user@ybl' } },
      payment_group: 'upi',
      payment_surcharge: { payment_surcharge_service_charge: 0.36 },
    },
    customer_details: { customer_id: '7112AAA812234', customer_phone: '9999999999' },
    payment_gateway_details: {
      gateway_name: 'CASHFREE',
      gateway_order_id: '1634766330',
      gateway_payment_id: '1504280029',
      gateway_settlement: 'CASHFREE',
    },
    payment_offers: Array.from({ length: 3 }, (_, number) => ({
      offer_id: `0f05e1d0-fbf8-4c9c-a1f0-814c7b2abdb${number}`,
      offer_type: 'DISCOUNT',
      offer_meta: { offer_title: '50% off on UPI', offer_code: 'UPI50' },
      offer_redemption: { redemption_status: 'SUCCESS', discount_amount: 1 },
    })),
  };
  const event = { data, event_time: '2026-01-15T11:16:10+05:30', type: 'PAYMENT_SUCCESS_WEBHOOK' };
  return JSON.stringify(event);
}

async function giveSecret({ sql, tenant: { workspaceId } }: Stack): Promise<void> {
  const place = gatewaySecretPlace(workspaceId, 'webhook_secret');
  const { keyId, sealed } = createSecrets(parseEncryptionKeys(ENCRYPTION_KEYS)!).seal(
    place,
    WORKSPACE_SECRET,
  );
  await sql(
    `INSERT INTO gateway_credentials (workspace_id, mode, environment, client_id)
     VALUES ($1, 'BYOM', 'SANDBOX', 'bench')`,
    [workspaceId],
  );
  await sql(
    `INSERT INTO gateway_secrets (workspace_id, field, generation, key_id, sealed, fingerprint)
     VALUES ($1, 'webhook_secret', 'CURRENT', $2, $3, 'none')`,
    [workspaceId, keyId, sealed],
  );
}
