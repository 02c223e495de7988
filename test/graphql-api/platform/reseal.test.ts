import { v7 as uuidv7 } from 'uuid';
import { expect, onTestFinished, test } from 'vitest';
import { affiliateProfile } from '../../../graphql-api/partner/affiliate.reads.ts';
import { kycSubmitContract } from '../../../graphql-api/partner/kyc.contract.ts';
import { kycSubmit } from '../../../graphql-api/partner/kyc.submit.ts';
import { reseal } from '../../../graphql-api/platform/reseal.ts';
import { runAction } from '../../../graphql-api/platform/run-action.ts';
import { secretsOf } from '../../../graphql-api/platform/secrets.ts';
import { newWebhookSecret, webhookSecretPlace } from '../../../graphql-api/webhooks/signature.ts';
import { gatewaySecretPlace } from '../../../schema/gateway/secret-place.ts';
import { newSecret, putWorkspaceSecret } from '../../harness/gateway-webhook.ts';
import { ownDatabase } from '../../harness/own-database.ts';
import { createTenant, sql } from '../../harness/tenant.ts';
import { contextOf, createDeps } from '../harness/deps.ts';
import { createAffiliate, gstinOf, kycBody, kycInput } from '../harness/partner.ts';

const keys = (...ids: readonly [string, number][]) =>
  ids.map(([id, fill]) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`).join(',');
const OLD = ['old', 1] as [string, number];
const NEW = ['new', 2] as [string, number];

async function world() {
  const { owner, app, system } = await ownDatabase();
  const depsWith = async (...ids: readonly [string, number][]) => {
    const deps = await createDeps({
      DATABASE_APP_URL: app,
      DATABASE_SYSTEM_URL: system,
      ENCRYPTION_KEYS: keys(...ids),
    });
    onTestFinished(() => deps.database.close());
    return deps;
  };
  const query = (text: string, values: unknown[] = []) => sql(text, values, owner);
  const before = await depsWith(OLD);
  async function submit() {
    const organizationId = uuidv7();
    await query(`INSERT INTO organizations (id, name) VALUES ($1, 'x')`, [organizationId]);
    await createAffiliate(organizationId, query);
    const body = kycBody();
    const gst_number = gstinOf(body.pan_number);
    const input = kycSubmitContract.parse(kycInput({ ...body, gst_number }));
    const context = contextOf(before, { organizationId, workspaceId: uuidv7() });
    await runAction(context, kycSubmit, input);
    return { organizationId, gst_number };
  }
  return { depsWith, query, submit, owner };
}

test('values sealed with an older key are resealed once, and can still be opened', async () => {
  const { depsWith, query, submit } = await world();
  const submitted = [await submit(), await submit(), await submit()];
  const rotated = await depsWith(NEW, OLD);
  const indexes = await query('SELECT blind_index FROM kyc_secrets');
  expect(await reseal(rotated)).toEqual({ resealed: 9, unreadable: 0 });
  expect(await reseal(rotated)).toEqual({ resealed: 0, unreadable: 0 });
  expect(await query('SELECT DISTINCT key_id FROM kyc_secrets')).toEqual([{ key_id: 'new' }]);
  const renewed = await query('SELECT blind_index FROM kyc_secrets');
  for (const { blind_index } of renewed) expect(indexes).not.toContainEqual({ blind_index });

  // The old key is no longer needed.
  const after = await depsWith(NEW);
  for (const { organizationId, gst_number } of submitted) {
    const context = contextOf(after, { organizationId, workspaceId: uuidv7() });
    const profile = await affiliateProfile(context);
    expect(await profile?.gstNumber()).toBe(gst_number);
    await context.finish();
  }
});

test('with two concurrent processes, each value is resealed once', async () => {
  const { depsWith, submit } = await world();
  for (let i = 0; i < 5; i++) await submit();
  const [one, two] = [await depsWith(NEW, OLD), await depsWith(NEW, OLD)];
  const [a, b] = await Promise.all([reseal(one), reseal(two)]);
  expect((await reseal(one)).resealed + a.resealed + b.resealed).toBe(15);
});

test('a value that cannot be opened is counted and kept, and does not block others', async () => {
  const { depsWith, query, submit } = await world();
  await submit();
  const { organizationId } = await submit();
  const bad = `WHERE organization_id = $1 AND field = 'pan_number'`;
  await query(`UPDATE kyc_secrets SET sealed = 'AAAA' ${bad}`, [organizationId]);
  const rotated = await depsWith(NEW, OLD);
  expect(await reseal(rotated)).toEqual({ resealed: 5, unreadable: 1 });
  const rows = await query(`SELECT key_id, sealed FROM kyc_secrets ${bad}`, [organizationId]);
  expect(rows).toEqual([{ key_id: 'old', sealed: 'AAAA' }]);
});

test('both generations of a workspace’s gateway secrets are resealed too', async () => {
  const { depsWith, query, owner } = await world();
  const tenant = await createTenant({ databaseUrl: owner });
  const expiresAt = new Date(Date.now() + 60_000);
  const secrets = [
    { field: 'client_secret', secret: newSecret() },
    { field: 'webhook_secret', secret: newSecret() },
    { field: 'webhook_secret', secret: newSecret(), generation: 'PREVIOUS', expiresAt },
  ] as const;
  for (const secret of secrets)
    await putWorkspaceSecret({
      ...tenant,
      ...secret,
      encryptionKeys: keys(OLD),
      databaseUrl: owner,
    });
  expect(await reseal(await depsWith(NEW, OLD))).toEqual({ resealed: 3, unreadable: 0 });
  const after = secretsOf(await depsWith(NEW));
  const rows = await query(
    'SELECT * FROM gateway_secrets WHERE workspace_id = $1 ORDER BY field, generation',
    [tenant.workspaceId],
  );
  const opened = rows.map(({ field, key_id, sealed }) =>
    after.open(gatewaySecretPlace(tenant.workspaceId, field as 'client_secret'), {
      keyId: key_id as string,
      sealed: sealed as string,
    }),
  );
  expect(opened).toEqual(secrets.map(({ secret }) => secret));
});

test('webhook secrets are resealed too', async () => {
  const { depsWith, query, owner } = await world();
  const { workspaceId } = await createTenant({ databaseUrl: owner });
  const [id, secret, replaced] = [uuidv7(), newWebhookSecret(), newWebhookSecret()];
  await query(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, created_by)
     VALUES ($1, $2, 'https://example.com/', 'user-1')`,
    [id, workspaceId],
  );
  const before = secretsOf(await depsWith(OLD));
  for (const [generation, text] of Object.entries({ CURRENT: secret, PREVIOUS: replaced })) {
    const { keyId, sealed } = before.seal(webhookSecretPlace(id), text);
    await query(
      `INSERT INTO webhook_secrets
         (endpoint_id, workspace_id, generation, key_id, sealed, expires_at)
       VALUES ($1, $2, $3, $4, $5, CASE WHEN $3 = 'PREVIOUS' THEN now() + interval '1 day' END)`,
      [id, workspaceId, generation, keyId, sealed],
    );
  }
  expect(await reseal(await depsWith(NEW, OLD))).toEqual({ resealed: 2, unreadable: 0 });
  const after = secretsOf(await depsWith(NEW));
  const rows = await query('SELECT key_id, sealed FROM webhook_secrets ORDER BY generation');
  const opened = rows.map(({ key_id, sealed }) =>
    after.open(webhookSecretPlace(id), { keyId: String(key_id), sealed: String(sealed) }),
  );
  expect(opened).toEqual([secret, replaced]);
});
