import { describe, expect, test } from 'vitest';
import { createCampaign } from '../../harness/campaign.ts';
import { createTenant, sql } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { ask, mutate, refusals } from '../harness/mutate.ts';
import { tokenFor } from '../harness/tokens.ts';
import { ALL, audited, campaignActions, DRAFT, type Shown } from './campaign-actions.ts';

const api = useSharedApi();

const { by, create, change } = campaignActions(api);

describe.concurrent('a campaign', () => {
  test('is created as a draft with all given fields, also by a member', async () => {
    const tenant = await createTenant();
    const made = await create(tenant, {}, 'member');
    expect(made).toEqual({
      ...DRAFT,
      id: expect.any(String),
      status: 'DRAFT',
      caps: { ...DRAFT.caps, intervalSecondsMin: null },
      version: 1,
    });
    expect(
      await ask(
        by(tenant),
        `query ($id: ID!) { ${ALL.replace('campaign', 'campaign(id: $id)')} }`,
        { id: made.id },
      ),
    ).toEqual({ campaign: made });
    expect(await audited(tenant)).toMatchObject([
      { action: 'campaign.create', before: null, after: { name: DRAFT.name, priority: 5 } },
    ]);
  });

  test('has defaults for omitted fields', async () => {
    const tenant = await createTenant();
    const input = { name: 'Plain', type: 'BANNER' };
    const { campaign } = await mutate<{ campaign: Shown }>(
      by(tenant),
      'campaignCreate',
      { input },
      ALL,
    );
    expect(campaign).toMatchObject({
      surfaces: [],
      content: {},
      priority: 0,
      startsAt: null,
      endsAt: null,
      audience: null,
      consentPurpose: 'marketing',
      endsOn: ['CLICKED', 'DISMISSED'],
      caps: { totalMax: null, windowMax: null, windowSeconds: null, intervalSecondsMin: null },
      isCapExempt: false,
      variants: [],
    });
  });

  test('keeps fields that an edit omits, and loses those that it clears', async () => {
    const tenant = await createTenant();
    const made = await create(tenant);
    const changed = await change(tenant, 'campaignUpdate', made, {
      version: 1,
      name: 'Winter sale',
      audience: null,
      caps: null,
      endsAt: null,
      variants: [],
    });
    expect(changed).toEqual({
      ...made,
      name: 'Winter sale',
      audience: null,
      caps: { totalMax: null, windowMax: null, windowSeconds: null, intervalSecondsMin: null },
      endsAt: null,
      variants: [],
      version: 2,
    });
    const [, entry] = await audited(tenant);
    expect(entry).toEqual({
      action: 'campaign.update',
      before: {
        name: DRAFT.name,
        audience: DRAFT.audience,
        caps: { ...DRAFT.caps, intervalSecondsMin: null },
        endsAt: DRAFT.endsAt,
        variants: [{ id: 'a', weight: 1 }, DRAFT.variants[1]],
      },
      after: {
        name: 'Winter sale',
        audience: null,
        caps: { totalMax: null, windowMax: null, windowSeconds: null, intervalSecondsMin: null },
        endsAt: null,
        variants: [],
      },
    });
  });

  test('keeps its version after an edit without changes, and nothing is logged', async () => {
    const tenant = await createTenant();
    const made = await create(tenant);
    const { content, audience } = DRAFT;
    const input = { version: 1, content, audience, startsAt: DRAFT.startsAt };
    expect((await change(tenant, 'campaignUpdate', made, input)).version).toBe(1);
    expect(await audited(tenant)).toHaveLength(1);
  });

  test('is copied into a draft, whatever its status', async () => {
    const tenant = await createTenant();
    const made = await create(tenant, { name: 'x'.repeat(256) });
    await change(tenant, 'campaignArchive', made);
    const copy = await change(tenant, 'campaignDuplicate', made);
    expect(copy).toEqual({
      ...made,
      id: expect.not.stringContaining(made.id),
      name: `Copy of ${'x'.repeat(248)}`,
    });
  });
});

describe.concurrent('validation', () => {
  test('reports all errors at once, and creates nothing', async () => {
    const tenant = await createTenant();
    const input = {
      ...DRAFT,
      name: ' ',
      surfaces: ['home', ''],
      content: { big: 'x'.repeat(70_000) },
      consentPurpose: 'Not A Word',
      audience: { and: [{ trait: 'plan', operator: 'near', value: 'pro' }] },
      caps: { totalMax: 0, windowSeconds: 10 },
      variants: [
        { id: 'a', weight: 1 },
        { id: 'a', weight: -1 },
      ],
    };
    expect((await refusals(by(tenant), 'campaignCreate', { input })).toSorted()).toEqual([
      'BAD_USER_INPUT input.audience.and.0.operator',
      'BAD_USER_INPUT input.caps.totalMax',
      'BAD_USER_INPUT input.caps.windowSeconds',
      'BAD_USER_INPUT input.consentPurpose',
      'BAD_USER_INPUT input.content',
      'BAD_USER_INPUT input.name',
      'BAD_USER_INPUT input.surfaces.1',
      'BAD_USER_INPUT input.variants',
      'BAD_USER_INPUT input.variants.1.weight',
    ]);
    expect(
      await sql('SELECT 1 FROM campaigns WHERE workspace_id = $1', [tenant.workspaceId]),
    ).toEqual([]);
  });

  test('checks the whole campaign, including fields that an edit omits', async () => {
    const tenant = await createTenant();
    const { id } = await create(tenant);
    const edit = (input: object) =>
      refusals(by(tenant), 'campaignUpdate', { id, input: { version: 1, ...input } });
    expect(await edit({ endsAt: '2025-12-31T00:00:00Z' })).toEqual(['BAD_USER_INPUT input.endsAt']);
    expect(await edit({ startsAt: '2101-01-01T00:00:00Z' })).toEqual([
      'BAD_USER_INPUT input.endsAt',
    ]);
    expect(await edit({ caps: { windowMax: 2 } })).toEqual(['BAD_USER_INPUT input.caps.windowMax']);
  });

  test('refuses content that is nested too deeply or is not an object', async () => {
    const tenant = await createTenant();
    const deep = (levels: number): unknown => (levels === 0 ? {} : { a: deep(levels - 1) });
    for (const content of [deep(40), [1], 'text', null])
      expect(
        await refusals(by(tenant), 'campaignCreate', { input: { ...DRAFT, content } }),
      ).toEqual(['BAD_USER_INPUT input.content']);
    // Nested deeper than JSON.stringify can handle.
    const abyss = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const answer = await api().rest('/api/v1/campaigns', {
      method: 'POST',
      token: await tokenFor(tenant.organizationId),
      headers: { 'content-type': 'application/json', 'idempotency-key': 'abyss' },
      body: `{"name": "x", "type": "banner", "content": ${abyss}}`,
    });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('content')]);
    // A decoded global ID has the same field names.
    const named = { typename: 'Campaign', id: 'x' };
    expect((await create(tenant, { content: named })).content).toEqual(named);
  });

  test('refuses a campaign that ingest would skip', async () => {
    const tenant = await createTenant();
    // Postgres adds a space after each comma in a list, which increases the size.
    const content = { list: Array.from({ length: 30_000 }, () => 1) };
    const variants = ['a', 'b', 'c'].map(id => ({ id, weight: 1, content }));
    const input = { ...DRAFT, content: {}, variants };
    expect(await refusals(by(tenant), 'campaignCreate', { input })).toEqual(['CAMPAIGN_TOO_LARGE']);
  });
});

describe.concurrent('lists', () => {
  test('are filtered by status, type, surface and name', async () => {
    const tenant = await createTenant();
    const make = (name: string, options: Parameters<typeof createCampaign>[1]) =>
      createCampaign(tenant.workspaceId, { name, ...options });
    await make('Everywhere 100%', { status: 'LIVE', createdAt: new Date('2026-01-01') });
    await make('Home_page', {
      status: 'DRAFT',
      surfaces: ['home'],
      createdAt: new Date('2026-01-02'),
    });
    await make('homeXpage', {
      status: 'LIVE',
      surfaces: ['cart'],
      type: 'nps',
      createdAt: new Date('2026-01-03'),
    });
    const names = async (filter: string) => {
      const document = `{ campaigns(first: 10, ${filter}) { nodes { name } } }`;
      const { campaigns } = await ask<{ campaigns: { nodes: { name: string }[] } }>(
        by(tenant),
        document,
      );
      return campaigns.nodes.map(({ name }) => name);
    };
    expect(await names('status: LIVE')).toEqual(['homeXpage', 'Everywhere 100%']);
    expect(await names('type: NPS')).toEqual(['homeXpage']);
    expect(await names('surface: "home"')).toEqual(['Home_page', 'Everywhere 100%']);
    expect(await names('search: "HOME_"')).toEqual(['Home_page']);
    expect(await names('search: "0%"')).toEqual(['Everywhere 100%']);
    expect(await names('search: "\\\\"')).toEqual([]);
    expect(await names('status: LIVE, surface: "cart", search: "page"')).toEqual(['homeXpage']);
    const broken = await api().graphql(
      '{ campaigns(first: 1, search: "\\u0000") { nodes { id } } }',
      {
        token: await tokenFor(tenant.organizationId),
      },
    );
    expect(broken.errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: ['search'],
    });
  });
});
