import { describe, expect, test } from 'vitest';
import { createContact } from '../../harness/campaign.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { ask } from '../harness/mutate.ts';
import { tokenFor } from '../harness/tokens.ts';
import { contactActions } from './contact-actions.ts';

const api = useSharedApi();

const { by, upsert } = contactActions(api);

describe.concurrent('lists', () => {
  test('can be filtered by the beginning of the user ID and by suppression', async () => {
    const tenant = await createTenant();
    for (const userId of ['a_1', 'a%1', 'aX1', 'b'])
      await createContact(tenant.workspaceId, { userId, isSuppressed: userId === 'b' });
    const listed = async (filter: string) => {
      const document = `{ contacts(first: 10, ${filter}) { nodes { userId } } }`;
      const { contacts } = await ask<{ contacts: { nodes: { userId: string }[] } }>(
        by(tenant),
        document,
      );
      return contacts.nodes.map(({ userId }) => userId);
    };
    expect(await listed('userIdPrefix: "a"')).toEqual(['aX1', 'a%1', 'a_1']);
    expect(await listed('userIdPrefix: "a_"')).toEqual(['a_1']);
    expect(await listed('userIdPrefix: "a%"')).toEqual(['a%1']);
    expect(await listed('isSuppressed: true')).toEqual(['b']);
    expect(await listed('isSuppressed: false')).toEqual(['aX1', 'a%1', 'a_1']);
    const broken = await api().graphql(
      '{ contacts(first: 1, userIdPrefix: "\\u0000") { nodes { id } } }',
      {
        token: await tokenFor(tenant.organizationId),
      },
    );
    expect(broken.errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT');
  });
});

describe.concurrent('the search', () => {
  const found = async (tenant: Tenant, search: string): Promise<string[]> => {
    const { contacts } = await ask<{ contacts: { nodes: { userId: string }[] } }>(
      by(tenant),
      'query ($search: String!) { contacts(first: 10, search: $search) { nodes { userId } } }',
      { search },
    );
    return contacts.nodes.map(({ userId }) => userId);
  };

  test('finds the beginning of a user ID, a name or an email, regardless of case', async () => {
    const tenant = await createTenant();
    const person = (userId: string, traits: object) =>
      createContact(tenant.workspaceId, { userId, traits });
    await person('User-1', { name: 'Priya Das', email: 'PRIYA@shop.example' });
    await person('u-2', { first_name: 'Asha', last_name: 'Rao', name: { of: 'nothing' } });
    await person('u-3', { fullName: 'Zoë_Ünal 100%' });
    await person('x-5', { firstName: 'Mia', lastName: 'van der Berg' });
    await createContact((await createTenant()).workspaceId, { userId: 'u-4' });
    expect(await found(tenant, 'u')).toEqual(['u-3', 'u-2', 'User-1']);
    expect(await found(tenant, 'uSER-')).toEqual(['User-1']);
    expect(await found(tenant, 'priya d')).toEqual(['User-1']);
    expect(await found(tenant, 'priya@')).toEqual(['User-1']);
    expect(await found(tenant, 'asha r')).toEqual(['u-2']);
    expect(await found(tenant, 'RAO')).toEqual(['u-2']);
    expect(await found(tenant, '100%')).toEqual(['u-3']);
    for (const name of [' mia ', 'van d', 'berg'])
      expect(await found(tenant, name)).toEqual(['x-5']);
    for (const other of ['iya', '%', 'zo%', '{']) expect(await found(tenant, other)).toEqual([]);
  });

  test.each([
    'name',
    'fullName',
    'full_name',
    'firstName',
    'first_name',
    'lastName',
    'last_name',
    'email',
  ])('follows a change of %s alone', async trait => {
    const tenant = await createTenant();
    const userId = 'u-1';
    await upsert(tenant, { userId, traits: { [trait]: 'Priya', plan: 'pro' } });
    await upsert(tenant, { userId, traits: { plan: 'free' } });
    expect(await found(tenant, 'priya')).toEqual([userId]);
    await upsert(tenant, { userId, traits: { [trait]: 'Meera' } });
    expect(await found(tenant, 'meera')).toEqual([userId]);
    expect(await found(tenant, 'priya')).toEqual([]);
  });

  test('finds the traits that a contact has now, and nothing of a deleted one', async () => {
    const tenant = await createTenant();
    await upsert(tenant, { userId: 'u-1', traits: { name: 'Priya', email: 'p@shop.example' } });
    await upsert(tenant, { userId: 'u-1', traits: { name: 'Meera' }, removeTraits: ['email'] });
    expect(await found(tenant, 'meera')).toEqual(['u-1']);
    expect(await found(tenant, 'priya')).toEqual([]);
    expect(await found(tenant, 'p@')).toEqual([]);
    await sql('DELETE FROM contacts WHERE workspace_id = $1', [tenant.workspaceId]);
    expect(
      await sql('SELECT FROM contact_search_terms WHERE workspace_id = $1', [tenant.workspaceId]),
    ).toEqual([]);
  });
});
