import { describe, expect, test } from 'vitest';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { createContact } from '../../harness/campaign.ts';
import { createTenant, sql } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { mutate, refusals } from '../harness/mutate.ts';
import { audited, contactActions } from './contact-actions.ts';

const api = useSharedApi();

const { by, upsert, change } = contactActions(api);

describe.concurrent('suppression', () => {
  test('lasts until it is ended; repeats have no effect', async () => {
    const tenant = await createTenant();
    const { id } = await upsert(tenant, { userId: 'u' });
    const suppressed = await change(tenant, 'contactSuppress', id);
    expect(suppressed.suppressedAt).toEqual(expect.any(String));
    expect(await change(tenant, 'contactSuppress', id)).toEqual(suppressed);
    expect((await change(tenant, 'contactUnsuppress', id)).suppressedAt).toBeNull();
    await change(tenant, 'contactUnsuppress', id);
    expect((await audited(tenant)).slice(1)).toEqual([
      {
        action: 'contact.suppress',
        before: { suppressedAt: null },
        after: { suppressedAt: suppressed.suppressedAt },
      },
      {
        action: 'contact.unsuppress',
        before: { suppressedAt: suppressed.suppressedAt },
        after: { suppressedAt: null },
      },
    ]);
  });
});

describe.concurrent('consents', () => {
  const consent = (status: string, source?: string) => ({
    purpose: 'marketing',
    status,
    ...(source && { source }),
  });

  test('increment their version with each change, and the audit log has the earlier values', async () => {
    const tenant = await createTenant();
    const { id } = await upsert(tenant, { userId: 'u' });
    await change(tenant, 'consentSet', id, consent('GRANTED', 'form'));
    await change(tenant, 'consentSet', id, consent('GRANTED', 'form'));
    await change(tenant, 'consentSet', id, consent('GRANTED', 'call'));
    const { consents } = await change(tenant, 'consentSet', id, consent('DENIED'));
    expect(consents).toEqual([{ purpose: 'marketing', status: 'DENIED', version: 3, source: '' }]);
    expect((await audited(tenant)).slice(1)).toEqual([
      {
        action: 'consent.set',
        before: null,
        after: { purpose: 'marketing', status: 'GRANTED', source: 'form', version: 1 },
      },
      {
        action: 'consent.set',
        before: { purpose: 'marketing', status: 'GRANTED', source: 'form', version: 1 },
        after: { purpose: 'marketing', status: 'GRANTED', source: 'call', version: 2 },
      },
      {
        action: 'consent.set',
        before: { purpose: 'marketing', status: 'GRANTED', source: 'call', version: 2 },
        after: { purpose: 'marketing', status: 'DENIED', source: '', version: 3 },
      },
    ]);
  });

  test('that are changed concurrently each get their own version', async () => {
    const tenant = await createTenant();
    const { id } = await upsert(tenant, { userId: 'u' });
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        change(tenant, 'consentSet', id, consent('GRANTED', `s${n}`)),
      ),
    );
    const rows = await sql('SELECT version FROM consents WHERE workspace_id = $1', [
      tenant.workspaceId,
    ]);
    expect(rows).toEqual([{ version: 30 }]);
  });

  test('of many people are recorded all or none', async () => {
    const tenant = await createTenant();
    const userIds = Array.from({ length: 50 }, (_, n) => `u${n}`);
    for (const userId of userIds) await createContact(tenant.workspaceId, { userId });
    const all = userIds.flatMap(userId =>
      ['marketing', 'research'].map(purpose => ({ userId, purpose, status: 'GRANTED' })),
    );
    const shown = 'contacts { userId consents { purpose status } }';
    const { contacts } = await mutate<{ contacts: { userId: string; consents: unknown[] }[] }>(
      by(tenant),
      'consentBulkSet',
      { input: { consents: all } },
      shown,
    );
    expect(contacts.map(({ userId }) => userId)).toEqual(userIds);
    for (const { consents } of contacts) expect(consents).toHaveLength(2);

    const bulk = (consents: unknown[]) =>
      refusals(by(tenant), 'consentBulkSet', { input: { consents } });
    const denied = { userId: 'u0', purpose: 'marketing', status: 'DENIED' };
    expect(await bulk([denied, { ...denied, userId: 'x' }, { ...denied, userId: 'y' }])).toEqual([
      'NOT_FOUND input.consents.1.userId',
      'NOT_FOUND input.consents.2.userId',
    ]);
    expect(await bulk([...all, denied])).toEqual(['BAD_USER_INPUT input.consents']);
    expect(await bulk([])).toEqual(['BAD_USER_INPUT input.consents']);
    const rows = await sql(`SELECT 1 FROM consents WHERE workspace_id = $1 AND status = 'DENIED'`, [
      tenant.workspaceId,
    ]);
    expect(rows).toEqual([]);
  });

  test('are limited in their number of purposes', async () => {
    const tenant = await createTenant();
    const consents = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [`p${n}`, 'GRANTED' as const]),
    );
    const { contactId } = await createContact(tenant.workspaceId, { consents });
    const id = encodeNodeId('Contact', contactId);
    expect(await refusals(by(tenant), 'consentSet', { id, input: consent('GRANTED') })).toEqual([
      'TOO_MANY_CONSENTS',
    ]);
    await change(tenant, 'consentSet', id, { purpose: 'p7', status: 'DENIED' });
    const input = { purpose: 'Not a word', status: 'DENIED', source: 'x'.repeat(257) };
    expect(await refusals(by(tenant), 'consentSet', { id, input })).toEqual([
      'BAD_USER_INPUT input.purpose',
      'BAD_USER_INPUT input.source',
    ]);
  });
});
