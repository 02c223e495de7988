// An owner sets the workspace's gateway credentials, and ingest then accepts its webhooks. Both
// processes run as in production.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintId } from '../../../schema/gateway/minted-id.ts';
import { TEST_ENCRYPTION_KEYS } from '../../harness/environments.ts';
import { eventually } from '../../harness/eventually.ts';
import {
  expectAcknowledged,
  inboxRows,
  newSecret,
  paymentEvent,
  postWebhook,
} from '../../harness/gateway-webhook.ts';
import { type IngestProcess, startIngest } from '../../harness/ingest-process.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { useApi } from '../harness/api-process.ts';
import { ask, mutate, refusals, tryMutation } from '../harness/mutate.ts';

const api = useApi({ env: { LOG_LEVEL: 'trace' } });
let ingest: IngestProcess;
beforeAll(async () => {
  // A single thread, so that a change visible to one request is visible to all.
  ingest = await startIngest({ threads: 1, env: { ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS } });
});
afterAll(async () => {
  await ingest?.stop();
});

type Shown = {
  readonly version: number;
  readonly warnings: readonly { readonly code: string }[];
  readonly [field: string]: unknown;
};
type Fields = Readonly<Record<string, unknown>>;

const SECRET = '{ fingerprint previousUntil }';
const CREDENTIALS = `{
  onboarding mode appId version checkedAt checkResult webhookPath warnings { code }
  secretKey ${SECRET} webhookSecret ${SECRET} webhookSecretSecondary ${SECRET}
}`;

const ownerOf = (tenant: Tenant) => ({ api: api(), tenant });
const read = async (tenant: Tenant) => {
  const answer = await ask<{ gatewayCredentials: Shown | null }>(
    { ...ownerOf(tenant), role: 'member' },
    `{ gatewayCredentials ${CREDENTIALS} }`,
  );
  return answer.gatewayCredentials;
};
const change = async (tenant: Tenant, name: string, input: Fields) => {
  const shown = `gatewayCredentials ${CREDENTIALS}`;
  const payload = await mutate<{ gatewayCredentials: Shown }>(
    ownerOf(tenant),
    name,
    { input },
    shown,
  );
  return payload.gatewayCredentials;
};
const own = (fields: Fields = {}) => ({
  onboarding: 'BYOM',
  mode: 'SANDBOX',
  appId: 'app-of-a-test',
  secretKey: newSecret(),
  ...fields,
});
const minted = ({ workspaceId }: Tenant) =>
  paymentEvent(undefined, { order_id: mintId('order', workspaceId, crypto.randomUUID()) });
const post = (tenant: Tenant, secret: string) =>
  postWebhook(ingest, minted(tenant).text, { secret });
const untilStatus = (status: number, tenant: Tenant, secret: string) =>
  eventually(async () => expect((await post(tenant, secret)).status).toBe(status));

describe.concurrent('gatewayCredentials', () => {
  test('are null until they are set, and then show which fields are set, without secrets', async () => {
    const tenant = await createTenant();
    expect(await read(tenant)).toBeNull();
    const [webhookSecret, webhookSecretSecondary] = [newSecret(), newSecret()];
    const input = own({ webhookSecret, webhookSecretSecondary });
    const set = await change(tenant, 'gatewayCredentialsSet', input);
    expect(set).toEqual({
      onboarding: 'BYOM',
      mode: 'SANDBOX',
      appId: 'app-of-a-test',
      version: 1,
      checkedAt: null,
      checkResult: null,
      webhookPath: `/v1/webhooks/payment/gateway?workspace_id=${tenant.workspaceId}`,
      warnings: [],
      secretKey: { fingerprint: input.secretKey.slice(-4), previousUntil: null },
      webhookSecret: { fingerprint: webhookSecret.slice(-4), previousUntil: null },
      webhookSecretSecondary: {
        fingerprint: webhookSecretSecondary.slice(-4),
        previousUntil: null,
      },
    });
    expect(await read(tenant)).toEqual(set);
  });

  test('warn in the response and the log if one or both webhook secrets are missing', async () => {
    const tenant = await createTenant();
    const warningsIn = (shown: Shown | null) => shown?.warnings.map(({ code }) => code);
    const none = await change(tenant, 'gatewayCredentialsSet', own());
    expect(warningsIn(none)).toEqual(['NO_WEBHOOK_SECRET']);
    for (const name of ['webhookSecret', 'webhookSecretSecondary']) {
      const other = await createTenant();
      const one = await change(other, 'gatewayCredentialsSet', own({ [name]: newSecret() }));
      expect(warningsIn(one)).toEqual(['ONLY_ONE_WEBHOOK_SECRET']);
      expect(api().logLines()).toContainEqual(
        expect.objectContaining({
          workspaceId: other.workspaceId,
          code: 'ONLY_ONE_WEBHOOK_SECRET',
        }),
      );
    }
    const both = { webhookSecret: newSecret(), webhookSecretSecondary: newSecret() };
    const input = {
      onboarding: 'BYOM',
      mode: 'SANDBOX',
      appId: 'app-of-a-test',
      version: 1,
      ...both,
    };
    expect(warningsIn(await change(tenant, 'gatewayCredentialsSet', input))).toEqual([]);
  });

  test('keep omitted fields, unless the account changes', async () => {
    const tenant = await createTenant();
    const first = own({ webhookSecret: newSecret(), webhookSecretSecondary: newSecret() });
    await change(tenant, 'gatewayCredentialsSet', first);
    const same = { onboarding: 'BYOM', mode: 'SANDBOX', appId: first.appId };
    const kept = await change(tenant, 'gatewayCredentialsSet', { ...same, version: 1 });
    expect(kept).toMatchObject({ version: 2, secretKey: {}, webhookSecret: {}, warnings: [] });
    const otherAccount = { ...same, appId: 'another', version: 2 };
    expect(
      await refusals(ownerOf(tenant), 'gatewayCredentialsSet', { input: otherAccount }),
    ).toEqual(['BAD_USER_INPUT input.secretKey']);
    const moved = await change(tenant, 'gatewayCredentialsSet', {
      ...otherAccount,
      secretKey: newSecret(),
    });
    expect(moved).toMatchObject({ version: 3, webhookSecret: null, webhookSecretSecondary: null });
    const managed = { onboarding: 'MANAGED', mode: 'SANDBOX', version: 3 };
    expect(await change(tenant, 'gatewayCredentialsSet', managed)).toMatchObject({
      onboarding: 'MANAGED',
      appId: null,
      secretKey: null,
      webhookPath: '/v1/webhooks/payment/gateway',
      warnings: [],
    });
    expect(
      await sql('SELECT * FROM gateway_secrets WHERE workspace_id = $1', [tenant.workspaceId]),
    ).toEqual([]);
  });

  test('are refused if they are inconsistent', async () => {
    const tenant = await createTenant();
    const refused = (name: string, input: Fields) => refusals(ownerOf(tenant), name, { input });
    const set = (fields: Fields) => refused('gatewayCredentialsSet', own(fields));
    expect(await set({ appId: null })).toEqual(['BAD_USER_INPUT input.appId']);
    expect(await set({ secretKey: null })).toEqual(['BAD_USER_INPUT input.secretKey']);
    expect(await set({ onboarding: 'MANAGED' })).toEqual(['BAD_USER_INPUT input.onboarding']);
    expect(await set({ webhookSecret: 'short' })).toEqual(['BAD_USER_INPUT input.webhookSecret']);
    const blank = { webhookSecret: `${newSecret()} ` };
    expect(await set(blank)).toEqual(['BAD_USER_INPUT input.webhookSecret']);
    expect(await set({ version: 1 })).toEqual(['GATEWAY_CREDENTIALS_CHANGED']);
    const rotated = { secret: 'WEBHOOK_SECRET', value: newSecret() };
    expect(await refused('gatewaySecretRotate', rotated)).toEqual(['NOT_FOUND']);
    expect(await refusals(ownerOf(tenant), 'gatewayCredentialsRemove', {})).toEqual(['NOT_FOUND']);
    const member = { ...ownerOf(tenant), role: 'member' } as const;
    const answer = await tryMutation(
      member,
      'gatewayCredentialsSet',
      { input: own() },
      '__typename',
    );
    expect(answer.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
    expect(await read(tenant)).toBeNull();
  });

  test('one of two concurrent changes is refused', async () => {
    const tenant = await createTenant();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        tryMutation(ownerOf(tenant), 'gatewayCredentialsSet', { input: own() }, '__typename'),
      ),
    );
    const errors = answers.map(
      answer => (answer.data!.gatewayCredentialsSet as { userErrors: Fields[] }).userErrors,
    );
    expect(errors.filter(list => list.length === 0)).toHaveLength(1);
    expect(errors.flat().map(({ code }) => code)).toEqual(
      Array.from({ length: 3 }, () => 'GATEWAY_CREDENTIALS_CHANGED'),
    );
  });
});

test('ingest accepts a secret once it is set, its predecessor during the overlap, and none after the removal', async () => {
  const tenant = await createTenant();
  const [first, second, third, secondary] = [newSecret(), newSecret(), newSecret(), newSecret()];
  const secrets = { webhookSecret: first, webhookSecretSecondary: secondary };
  await change(tenant, 'gatewayCredentialsSet', own(secrets));
  await untilStatus(200, tenant, first);
  expectAcknowledged(await post(tenant, secondary));

  const rotate = { secret: 'WEBHOOK_SECRET', value: second, overlapSeconds: 3_600 };
  const rotated = await change(tenant, 'gatewaySecretRotate', rotate);
  expect(rotated).toMatchObject({ version: 2, webhookSecret: { fingerprint: second.slice(-4) } });
  const { previousUntil } = rotated.webhookSecret as { previousUntil: string };
  expect(Date.parse(previousUntil)).toBeGreaterThan(Date.now());
  await untilStatus(200, tenant, second);
  const event = minted(tenant);
  expectAcknowledged(await postWebhook(ingest, event.text, { secret: first }));
  expect((await inboxRows(event.id))[0]).toMatchObject({
    account_id: tenant.workspaceId,
    verified_field: 'webhook_secret',
    verified_generation: 'PREVIOUS',
  });

  const atOnce = { secret: 'WEBHOOK_SECRET', value: third, overlapSeconds: 0 };
  const { webhookSecret } = await change(tenant, 'gatewaySecretRotate', atOnce);
  expect(webhookSecret).toEqual({ fingerprint: third.slice(-4), previousUntil: null });
  await untilStatus(200, tenant, third);
  for (const old of [first, second]) expect((await post(tenant, old)).status).toBe(401);

  await mutate(ownerOf(tenant), 'gatewayCredentialsRemove', {}, 'isRemoved');
  await untilStatus(401, tenant, third);
  expect((await post(tenant, secondary)).status).toBe(401);
  expect(await read(tenant)).toBeNull();
});

test('no secret appears in a response, a log, the audit log or the database', async () => {
  const tenant = await createTenant();
  const [key, primary, secondary, next] = [newSecret(), newSecret(), newSecret(), newSecret()];
  const answers: string[] = [];
  const mutation = async (name: string, input: Fields) => {
    const answer = await tryMutation(ownerOf(tenant), name, { input }, '__typename');
    answers.push(answer.text);
  };
  const secrets = { secretKey: key, webhookSecret: primary, webhookSecretSecondary: secondary };
  await mutation('gatewayCredentialsSet', own({ ...secrets, appId: null }));
  await mutation('gatewayCredentialsSet', own({ ...secrets, webhookSecret: `${primary}\u0000` }));
  await mutation('gatewayCredentialsSet', own({ ...secrets, mode: primary }));
  await mutation('gatewayCredentialsSet', own(secrets));
  await mutation('gatewaySecretRotate', { secret: 'WEBHOOK_SECRET', value: next });
  await mutation('gatewaySecretRotate', { secret: primary, value: next });
  expect((await read(tenant))?.version).toBe(2);
  const stored = await sql(
    `SELECT to_jsonb(secret)::text AS text FROM gateway_secrets secret WHERE workspace_id = $1
     UNION ALL SELECT to_jsonb(entry)::text FROM audit_log entry WHERE organization_id = $2
     UNION ALL SELECT to_jsonb(record)::text FROM idempotency_records record WHERE organization_id = $2`,
    [tenant.workspaceId, tenant.organizationId],
  );
  const written = stored.map(row => row.text as string);
  expect(written.filter(text => text.includes('gateway_credentials.'))).toHaveLength(2);
  for (const text of [...answers, ...written, api().logs(), ingest.logs()])
    for (const secret of [key, primary, secondary, next]) expect(text).not.toContain(secret);
});
