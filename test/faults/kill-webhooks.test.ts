// kill -9 of both processes while webhooks are sent: every acknowledged report is sent at least
// once, under the IDs derived from it.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newWebhookSecret, webhookSecretPlace } from '../../graphql-api/webhooks/signature.ts';
import { pushOutcome } from '../../ingest/accept/push-delivery.ts';
import { parseEncryptionKeys } from '../../schema/environment/encryption-keys.ts';
import { createSecrets } from '../../schema/values/sealing.ts';
import { type ApiProcess, startApi } from '../graphql-api/harness/api-process.ts';
import { TEST_ENCRYPTION_KEYS } from '../harness/environments.ts';
import { eventually } from '../harness/eventually.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { postPush } from '../harness/push.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';

/** Each report causes two outbound events: opened and clicked. */
const REPORTS = process.env.TEST_LONG === undefined ? 240 : 5_000;
const POSTED_AT_ONCE = 20;
const TIMEOUT_MS = 600_000;

const secret = newWebhookSecret();
const received = new Map<string, number>();
let isHolding = false;
let held = 0;
/** Delays its responses on demand, so that deliveries are in progress when the sender dies. */
const receiver = createServer((request, answer) => {
  let body = '';
  request.on('data', chunk => {
    body += String(chunk);
  });
  request.on('end', () => {
    if (isHolding) {
      held++;
      return;
    }
    new Webhook(secret).verify(body, request.headers as Record<string, string>);
    const id = String(request.headers['webhook-id']);
    received.set(id, (received.get(id) ?? 0) + 1);
    answer.end();
  });
});

let databaseUrl: string;
let tenant: Tenant;
let ingest: IngestProcess;
let api: ApiProcess;
let startAnotherApi: () => Promise<ApiProcess>;

beforeAll(async () => {
  const urls = await ownDatabase();
  databaseUrl = urls.owner;
  const env = { DATABASE_APP_URL: urls.app, DATABASE_SYSTEM_URL: urls.system };
  startAnotherApi = () => startApi({ env });
  tenant = await createTenant({ databaseUrl });
  await new Promise<void>(resolve => {
    receiver.listen(0, '127.0.0.1', resolve);
  });
  await addEndpoint((receiver.address() as AddressInfo).port);
  [ingest, api] = await Promise.all([
    startIngest({ threads: 1, env: { DATABASE_SYSTEM_URL: urls.system } }),
    startAnotherApi(),
  ]);
});
afterAll(async () => {
  receiver.close();
  receiver.closeAllConnections();
  await Promise.all([ingest?.stop(), api?.stop()]);
});

test(
  'every acknowledged report sends its webhooks at least once, regardless of which process is killed',
  async () => {
    const half = REPORTS / 2;
    await report(0, half);
    await eventually(() => expect(received.size).toBeGreaterThan(20));
    await report(half, half + half / 2);
    isHolding = true;
    await report(half + half / 2, REPORTS);
    await eventually(() => expect(held).toBeGreaterThan(0));
    process.kill(api.pid, 'SIGKILL');
    await ingest.kill9();
    isHolding = false;
    [, api] = await Promise.all([ingest.restart(), startAnotherApi()]);

    const expected = Array.from({ length: REPORTS }, (_, number) => idsOf(number)).flat();
    await eventually(
      async () => {
        expect(received.size).toBe(expected.length);
        const rows = await sql(
          'SELECT state, count(*)::int AS count FROM webhook_deliveries GROUP BY state',
          [],
          databaseUrl,
        );
        expect(rows).toEqual([{ state: 'DELIVERED', count: expected.length }]);
      },
      { deadlineMs: TIMEOUT_MS },
    );
    expect([...received.keys()].toSorted()).toEqual(expected.toSorted());
    // Interrupted attempts are recorded as such and retried.
    const interrupted = await sql(
      `SELECT count(*)::int AS count FROM webhook_attempts WHERE outcome = 'INTERRUPTED'`,
      [],
      databaseUrl,
    );
    expect(interrupted[0]!.count).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

const messageId = (number: number) => `message-${number}`;

async function report(from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += POSTED_AT_ONCE) {
    const length = Math.min(POSTED_AT_ONCE, to - at);
    const answers = await Promise.all(
      Array.from({ length }, (_, index) =>
        postPush(ingest, tenant, {
          event_type: 'push.clicked',
          message_id: messageId(at + index),
          user_id: 'user-1',
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(length).fill(200));
  }
}

/** The event IDs that ingest derives. */
function idsOf(number: number): readonly string[] {
  const { workspaceId, propertyId } = tenant;
  const { delivery } = pushOutcome(
    {
      eventType: 'push.clicked',
      workspaceId,
      propertyId,
      messageId: messageId(number),
      userId: 'user-1',
      contactId: '',
      anonymousId: '',
    },
    () => '',
  );
  return delivery!.notices.map(({ id }) => id);
}

async function addEndpoint(port: number): Promise<void> {
  const { workspaceId } = tenant;
  const id = crypto.randomUUID();
  await sql(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, created_by)
     VALUES ($1, $2, $3, 'user-1')`,
    [id, workspaceId, `http://127.0.0.1:${port}/`],
    databaseUrl,
  );
  const secrets = createSecrets(parseEncryptionKeys(TEST_ENCRYPTION_KEYS)!);
  const { keyId, sealed } = secrets.seal(webhookSecretPlace(id), secret);
  await sql(
    `INSERT INTO webhook_secrets (endpoint_id, workspace_id, generation, key_id, sealed)
     VALUES ($1, $2, 'CURRENT', $3, $4)`,
    [id, workspaceId, keyId, sealed],
    databaseUrl,
  );
}
