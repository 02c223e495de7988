// Webhooks that are signed with the secret of a workspace with its own merchant account.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLATFORM_ACCOUNT_ID } from '../../schema/gateway/account.ts';
import { mintId } from '../../schema/gateway/minted-id.ts';
import { expectProblem } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import { expectUnavailable, type GatedIngest, startGatedIngest } from '../harness/gated-ingest.ts';
import {
  ENCRYPTION_KEYS,
  expectAcknowledged,
  inboxRows,
  newSecret,
  paymentEvent,
  postWebhook,
  putWorkspaceSecret,
} from '../harness/gateway-webhook.ts';
import { metrics, sumOf } from '../harness/metrics.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';

const PRIMARY = newSecret();

let gated: GatedIngest;
beforeAll(async () => {
  gated = await startGatedIngest({ ENCRYPTION_KEYS, GATEWAY_WEBHOOK_SECRET: PRIMARY });
});
afterAll(async () => {
  await gated?.stop();
});

const postSigned = (text: string, secret = PRIMARY, query = '') =>
  postWebhook(gated.ingest, text, { secret, query });

describe('a workspace with its own merchant account', () => {
  let tenants: (Tenant & { readonly secret: string })[];
  beforeAll(async () => {
    tenants = [];
    for (let i = 0; i < 2; i++) {
      const tenant = { ...(await createTenant()), secret: newSecret() };
      await putWorkspaceSecret(tenant);
      tenants.push(tenant);
    }
    for (const tenant of tenants) await untilTrusted(tenant, tenant.secret);
  });

  /** Every thread has its own cache, so each must accept a new event. */
  const untilTrusted = (tenant: Tenant, secret: string) =>
    eventually(async () => {
      for (let i = 0; i < 8; i++) expectAcknowledged(await postSigned(minted(tenant).text, secret));
    });
  const minted = ({ workspaceId }: Tenant) => {
    const { id } = paymentEvent();
    const uuid = crypto.randomUUID();
    return paymentEvent(id, { order_id: mintId('order', workspaceId, uuid) });
  };

  test('is found by every hint, and its event belongs to its account', async () => {
    const [{ workspaceId, secret }] = tenants as [(typeof tenants)[number]];
    const uuid = crypto.randomUUID();
    const hints: object[] = [
      { order: { order_id: mintId('order', workspaceId, uuid) } },
      { link_id: mintId('link', workspaceId, uuid) },
      { link_notes: { workspace_id: workspaceId } },
      { subscription_details: { subscription_tags: { b: '1', workspace_id: workspaceId } } },
      { subscription_id: mintId('subscription', workspaceId, uuid) },
      { refund: { refund_id: mintId('refund', workspaceId, uuid) } },
      { merchant_vendor_id: mintId('vendor', workspaceId, uuid) },
      { order: { order_tags: { workspace_id: workspaceId.toUpperCase() } } },
    ];
    for (const hint of hints) {
      const mark = crypto.randomUUID();
      expectAcknowledged(await postSigned(JSON.stringify({ mark, data: hint }), secret));
      expect(await inboxRows(mark)).toEqual([
        expect.objectContaining({ account_id: workspaceId, workspace_id: workspaceId }),
      ]);
    }
    const unnamed = paymentEvent();
    const refused = await postSigned(unnamed.text, secret);
    expectProblem(refused, 401, 'INVALID_SIGNATURE');
    expect(refused.json().detail).toContain('?workspace_id=');
    const query = `?workspace_id=${workspaceId}`;
    expectAcknowledged(await postSigned(unnamed.text, secret, query));
    expect((await inboxRows(unnamed.id))[0]).toMatchObject({ account_id: workspaceId });
  });

  test('signs only for itself, regardless of the workspace that the body names', async () => {
    const [one, other] = tenants as [(typeof tenants)[number], (typeof tenants)[number]];
    const ofOther = minted(other);
    expectProblem(await postSigned(ofOther.text, one.secret), 401, 'INVALID_SIGNATURE');
    const ofPlatform = paymentEvent(undefined, {
      order_id: mintId('order', undefined, crypto.randomUUID()),
    });
    expectProblem(await postSigned(ofPlatform.text, one.secret), 401, 'INVALID_SIGNATURE');
    // With the workspace's own hint, it is stored as the workspace's event, not the platform's.
    const query = `?workspace_id=${one.workspaceId}`;
    expectAcknowledged(await postSigned(ofPlatform.text, one.secret, query));
    expectAcknowledged(await postSigned(ofPlatform.text, PRIMARY, query));
    const rows = await inboxRows(ofPlatform.id);
    expect(rows.map(row => row.account_id)).toEqual([one.workspaceId, PLATFORM_ACCOUNT_ID]);
    expect(await inboxRows(ofOther.id)).toEqual([]);
  });

  test('is one of at most two hinted workspaces whose secrets are tried', async () => {
    const { workspaceId, secret } = tenants[0]!;
    const hint = (text: string) => ({ link_notes: { workspace_id: text } });
    const strangers = Array.from({ length: 2 }, () => crypto.randomUUID());
    const event = (ids: readonly string[]) => {
      const [first, second, third] = ids;
      const data = {
        ...hint(first!),
        order: { order_tags: { workspace_id: second } },
        order_tags: { workspace_id: third },
      };
      return JSON.stringify({ mark: crypto.randomUUID(), data });
    };
    expectAcknowledged(await postSigned(event([strangers[0]!, workspaceId]), secret));
    const third = await postSigned(event([...strangers, workspaceId]), secret);
    expectProblem(third, 401, 'INVALID_SIGNATURE');
  });

  test('changes its secret: the new one is accepted immediately, the old one until it expires', async () => {
    const tenant = await createTenant();
    const [first, second] = [newSecret(), newSecret()];
    await putWorkspaceSecret({ ...tenant, secret: first });
    await untilTrusted(tenant, first);
    const expiresAt = new Date(Date.now() + 60 * 60 * 1000);
    await putWorkspaceSecret({ ...tenant, secret: first, generation: 'PREVIOUS', expiresAt });
    await putWorkspaceSecret({ ...tenant, secret: second });
    await untilTrusted(tenant, second);
    const retried = minted(tenant);
    expectAcknowledged(await postSigned(retried.text, first));
    expect((await inboxRows(retried.id))[0]).toMatchObject({ verified_generation: 'PREVIOUS' });
    await sql(
      `UPDATE gateway_secrets SET expires_at = now() WHERE generation = 'PREVIOUS' AND workspace_id = $1`,
      [tenant.workspaceId],
    );
    await untilRefused(tenant, first);
    expectAcknowledged(await postSigned(minted(tenant).text, second));
    await sql('DELETE FROM gateway_credentials WHERE workspace_id = $1', [tenant.workspaceId]);
    await untilRefused(tenant, second);
  });

  const untilRefused = (tenant: Tenant, secret: string) =>
    eventually(async () => {
      for (let i = 0; i < 8; i++)
        expectProblem(await postSigned(minted(tenant).text, secret), 401, 'INVALID_SIGNATURE');
    });

  test('whose secret cannot be decrypted is reported, and others are not affected', async () => {
    const tenant = await createTenant();
    const encryptionKeys = `lost:${Buffer.alloc(32, 9).toString('base64')}`;
    await putWorkspaceSecret({ ...tenant, secret: newSecret(), encryptionKeys });
    await eventually(async () => {
      const unreadable = sumOf(await metrics(gated.ingest), /^ingest_gateway_secrets_unreadable$/);
      expect(unreadable).toBe(1);
    });
    expect(gated.ingest.logs()).toContain(tenant.workspaceId);
    expectAcknowledged(await postSigned(minted(tenants[0]!).text, tenants[0]!.secret));
  });

  test('is known after a start without Postgres, from a snapshot without readable secrets', async () => {
    const tenant = tenants[0]!;
    const { ingest } = gated;
    await ingest.stop();
    gated.setPostgresThere(false);
    await ingest.restart({}, false);
    await untilRefused(tenant, newSecret());
    // The signature is valid, so the error must be about the unavailable Postgres, not about a
    // forgery.
    expectUnavailable(await postSigned(minted(tenant).text, tenant.secret));
    const snapshot = await readFile(
      join(ingest.dataDirectory, 'ingest', 'directory.snapshot'),
      'utf8',
    );
    expect(snapshot).toContain(tenant.workspaceId);
    for (const { secret } of tenants) expect(snapshot).not.toContain(secret);
    gated.setPostgresThere(true);
    const event = minted(tenant);
    await eventually(async () => expectAcknowledged(await postSigned(event.text, tenant.secret)));
    expect(await inboxRows(event.id)).toHaveLength(1);
  });
});
