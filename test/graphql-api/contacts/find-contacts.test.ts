import { describe, expect, test } from 'vitest';
import { contactsByUserIds, contactsPage } from '../../../graphql-api/contacts/contact.reads.ts';
import { createContact } from '../../harness/campaign.ts';
import { ownDatabase } from '../../harness/own-database.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { contextOf, createDeps } from '../harness/deps.ts';
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

describe.concurrent('the filter by a trait', () => {
  const CONTACTS = `query ($search: String, $trait: ContactTraitInput, $after: String) {
    contacts(first: 2, search: $search, trait: $trait, after: $after) {
      nodes { userId } pageInfo { hasNextPage endCursor }
    }
  }`;
  type Found = {
    readonly contacts: {
      readonly nodes: readonly { readonly userId: string }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    };
  };
  const page = async (tenant: Tenant, variables: Readonly<Record<string, unknown>>) =>
    (await ask<Found>(by(tenant, 'member'), CONTACTS, variables)).contacts;
  const listed = async (tenant: Tenant, name: string, value: string, search?: string) =>
    (await page(tenant, { trait: { name, value }, search })).nodes.map(({ userId }) => userId);

  test('compares the text of its value, and combines with the search', async () => {
    const tenant = await createTenant();
    const person = (userId: string, traits: object) =>
      createContact(tenant.workspaceId, { userId, traits });
    await person('u-1', { name: 'Zola Das', city: 'Pune', seats: 5, isPaying: true });
    await person('u-2', { name: 'Zola Rao', city: 'Delhi', home: { city: 'Pune' } });
    await person('u-3', { name: 'Asha Rao', city: 'Pune', 'home.city': 'Agra', home: 7 });
    await createContact((await createTenant()).workspaceId, { traits: { city: 'Pune' } });
    expect(await listed(tenant, 'city', 'Pune')).toEqual(['u-3', 'u-1']);
    expect(await listed(tenant, 'city', 'Pune', 'zola')).toEqual(['u-1']);
    expect(await listed(tenant, 'city', 'pune')).toEqual([]);
    expect(await listed(tenant, 'seats', '5')).toEqual(['u-1']);
    expect(await listed(tenant, 'isPaying', 'true')).toEqual(['u-1']);
    expect(await listed(tenant, 'home.city', 'Pune')).toEqual(['u-2']);
    expect(await listed(tenant, 'home.city', 'Agra')).toEqual(['u-3']);
  });

  test('keeps its pages', async () => {
    const tenant = await createTenant();
    for (let n = 0; n < 6; n++)
      await createContact(tenant.workspaceId, {
        userId: `u-${n}`,
        traits: { city: n % 2 === 0 ? 'Pune' : 'Delhi' },
      });
    const trait = { name: 'city', value: 'Pune' };
    const first = await page(tenant, { trait });
    expect(first.nodes.map(({ userId }) => userId)).toEqual(['u-4', 'u-2']);
    const next = await page(tenant, { trait, after: first.pageInfo.endCursor });
    expect(next.nodes.map(({ userId }) => userId)).toEqual(['u-0']);
    expect(next.pageInfo.hasNextPage).toBe(false);
  });

  test('costs 20 points more', async () => {
    const document = (filter: string) => `{ contacts(first: 1${filter}) { nodes { id } } }`;
    const token = await tokenFor((await createTenant()).organizationId);
    const cost = async (filter: string) =>
      (await api().graphql(document(filter), { token })).extensions?.cost;
    const trait = ', trait: { name: "city", value: "Pune" }';
    expect(await cost('')).toMatchObject({ requestedQueryCost: 2, actualQueryCost: 1 });
    expect(await cost(trait)).toMatchObject({ requestedQueryCost: 22, actualQueryCost: 21 });
  });

  test('says what to do if it reaches the time limit, and other reads of the request work', async () => {
    // Its own, because the lock would delay all other tests.
    const urls = await ownDatabase();
    const { database, warehouses, ...others } = await createDeps({
      DATABASE_APP_URL: urls.app,
      DATABASE_SYSTEM_URL: urls.system,
    });
    const tenant = await createTenant({ databaseUrl: urls.owner });
    const context = contextOf({ database, warehouses, ...others }, tenant);
    const trait = { name: 'city', value: 'Pune' };
    await database.asSystem(async em => {
      await em.execute('LOCK TABLE contacts');
      await expect(contactsPage(context, { first: 10 }, { trait })).rejects.toMatchObject({
        rejections: [{ code: 'REPORT_TOO_LARGE', message: expect.stringContaining('Narrow') }],
      });
    });
    expect(await contactsPage(context, { first: 10 }, { trait })).toMatchObject({ items: [] });
    expect(await contactsByUserIds(context, ['u-1'])).toEqual([]);
    await context.finish();
    await warehouses.close();
    await database.close();
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

  test('finds a contact each of whose several words matches', async () => {
    const tenant = await createTenant();
    const person = (userId: string, traits: object) =>
      createContact(tenant.workspaceId, { userId, traits });
    await person('u-1', { name: 'Zola Das', email: 'zola.das@shop.example' });
    await person('u-2', { name: 'Zola Rao', email: 'z.rao@shop.example' });
    await person('u-3', { firstName: 'Zola', lastName: 'van der Berg' });
    expect(await found(tenant, 'zola')).toEqual(['u-3', 'u-2', 'u-1']);
    expect(await found(tenant, 'DAS  zo')).toEqual(['u-1']);
    expect(await found(tenant, 'z.rao@ zola u-')).toEqual(['u-2']);
    expect(await found(tenant, 'van d')).toEqual(['u-3']);
    expect(await found(tenant, 'berg zola')).toEqual(['u-3']);
    expect(await found(tenant, 'zola priya')).toEqual([]);
    expect(await found(tenant, 'zola zola')).toEqual(['u-3', 'u-2', 'u-1']);
    const many = Array.from({ length: 100 }, (_, n) => `w${n}`).join(' ');
    expect(await found(tenant, many)).toEqual([]);
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
