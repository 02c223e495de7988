import { describe, expect, test } from 'vitest';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import type { Role } from '../../../graphql-api/platform/viewer.ts';
import { createCampaign, createContact } from '../../harness/campaign.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { ask, mutate, refusals, tryMutation } from '../harness/mutate.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();

type Shown = {
  readonly id: string;
  readonly status: string;
  readonly version: number;
  readonly [field: string]: unknown;
};

const by = (tenant: Tenant, role: Role = 'owner') => ({ api: api(), tenant, role });

const ALL = `campaign {
  id name type status surfaces content priority startsAt endsAt audience consentPurpose endsOn
  caps { totalMax windowMax windowSeconds intervalSecondsMin } isCapExempt
  variants { id weight content } version
}`;

const DRAFT = {
  name: 'Autumn sale',
  type: 'MODAL',
  surfaces: ['home'],
  content: { title: 'Hello', nested: { list: [1, 2] } },
  priority: 5,
  startsAt: '2026-01-01T00:00:00.000Z',
  endsAt: '2100-01-01T00:00:00.000Z',
  audience: { and: [{ trait: 'plan', operator: 'eq', value: 'pro' }] },
  consentPurpose: 'research',
  endsOn: ['CLICKED'],
  caps: { totalMax: 3, windowMax: 1, windowSeconds: 3600 },
  isCapExempt: true,
  variants: [
    { id: 'a', weight: 1, content: null },
    { id: 'b', weight: 0.5, content: { title: 'Hi' } },
  ],
};

async function create(tenant: Tenant, input: object = {}, role: Role = 'owner'): Promise<Shown> {
  const given = { input: { ...DRAFT, ...input } };
  return (await mutate<{ campaign: Shown }>(by(tenant, role), 'campaignCreate', given, ALL))
    .campaign;
}

async function change(
  tenant: Tenant,
  name: string,
  { id }: Pick<Shown, 'id'>,
  input?: Readonly<Record<string, unknown>>,
): Promise<Shown> {
  const args = { id, ...(input && { input }) };
  return (await mutate<{ campaign: Shown }>(by(tenant), name, args, ALL)).campaign;
}

async function audited({ workspaceId }: Tenant): Promise<Record<string, unknown>[]> {
  return sql('SELECT action, before, after FROM audit_log WHERE workspace_id = $1 ORDER BY id', [
    workspaceId,
  ]);
}

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

describe.concurrent('versions', () => {
  test('a stale version is refused', async () => {
    const tenant = await createTenant();
    const { id } = await create(tenant);
    await change(tenant, 'campaignUpdate', { id }, { version: 1, name: 'first' });
    const stale = { id, input: { version: 1, name: 'second' } };
    expect(await refusals(by(tenant), 'campaignUpdate', stale)).toEqual([
      'CAMPAIGN_CHANGED input.version',
    ]);
    expect(await refusals(by(tenant), 'campaignLaunch', { id, input: { version: 1 } })).toEqual([
      'CAMPAIGN_CHANGED input.version',
    ]);
  });

  test('one of several concurrent edits of the same version succeeds', async () => {
    const tenant = await createTenant();
    const { id } = await create(tenant);
    const edits = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        tryMutation(
          by(tenant),
          'campaignUpdate',
          { id, input: { version: 1, name: `n${n}` } },
          ALL,
        ),
      ),
    );
    const made = edits.filter(({ text }) => text.includes('"userErrors":[]'));
    expect(made).toHaveLength(1);
    expect(edits.filter(({ text }) => text.includes('CAMPAIGN_CHANGED'))).toHaveLength(4);
  });
});

describe.concurrent('the status', () => {
  test('changes from draft to live, paused, live and archived, each once', async () => {
    const tenant = await createTenant();
    const made = await create(tenant);
    const launched = await change(tenant, 'campaignLaunch', made, { version: 1 });
    expect(launched).toEqual({ ...made, status: 'LIVE', version: 2 });
    expect(await change(tenant, 'campaignLaunch', made, { version: 1 })).toEqual(launched);
    const paused = await change(tenant, 'campaignPause', made);
    expect(paused).toMatchObject({ status: 'PAUSED', version: 3 });
    expect(await change(tenant, 'campaignPause', made)).toEqual(paused);
    expect(await change(tenant, 'campaignLaunch', made, { version: 3 })).toMatchObject({
      status: 'LIVE',
    });
    const archived = await change(tenant, 'campaignArchive', made);
    expect(archived).toMatchObject({ status: 'ARCHIVED', version: 5 });
    expect(await change(tenant, 'campaignArchive', made)).toEqual(archived);
    expect(
      (await audited(tenant))
        .map(({ action, before, after }) => ({ action, before, after }))
        .slice(1),
    ).toEqual([
      { action: 'campaign.launch', before: { status: 'DRAFT' }, after: { status: 'LIVE' } },
      { action: 'campaign.pause', before: { status: 'LIVE' }, after: { status: 'PAUSED' } },
      { action: 'campaign.launch', before: { status: 'PAUSED' }, after: { status: 'LIVE' } },
      { action: 'campaign.archive', before: { status: 'LIVE' }, after: { status: 'ARCHIVED' } },
    ]);
  });

  test('cannot change after archiving, and a draft cannot be paused', async () => {
    const tenant = await createTenant();
    const { id } = await create(tenant);
    expect(await refusals(by(tenant), 'campaignPause', { id })).toEqual(['CAMPAIGN_STATUS id']);
    await change(tenant, 'campaignArchive', { id });
    for (const [name, input] of [
      ['campaignLaunch', { version: 2 }],
      ['campaignUpdate', { version: 2, name: 'x' }],
      ['campaignPause', undefined],
    ] as const)
      expect(await refusals(by(tenant), name, { id, ...(input && { input }) })).toEqual([
        'CAMPAIGN_STATUS id',
      ]);
  });

  test('can be live only with content and an end in the future', async () => {
    const tenant = await createTenant();
    const past = { startsAt: null, endsAt: '2020-01-01T00:00:00Z', content: {}, variants: [] };
    const { id } = await create(tenant, past);
    const launch = { id, input: { version: 1 } };
    const answer = await tryMutation(by(tenant), 'campaignLaunch', launch, ALL);
    expect(answer.data?.campaignLaunch).toMatchObject({
      campaign: null,
      userErrors: [
        { code: 'CAMPAIGN_INCOMPLETE', message: expect.stringContaining('content') },
        { code: 'CAMPAIGN_INCOMPLETE', message: expect.stringContaining('endsAt') },
      ],
    });
    // Only variants with a weight need content.
    const variants = [
      { id: 'a', weight: 1, content: { title: 'A' } },
      { id: 'b', weight: 0 },
    ];
    const edited = await change(
      tenant,
      'campaignUpdate',
      { id },
      { version: 1, endsAt: null, variants },
    );
    await change(tenant, 'campaignLaunch', { id }, { version: edited.version });
    const emptied = { id, input: { version: 3, variants: [] } };
    expect(await refusals(by(tenant), 'campaignUpdate', emptied)).toEqual([
      'CAMPAIGN_INCOMPLETE input.content',
    ]);
  });

  test('is live for at most as many campaigns as ingest evaluates', async () => {
    const tenant = await createTenant();
    const { id } = await create(tenant);
    const live = (count: number, endsAt: string | null) =>
      sql(
        `INSERT INTO campaigns (id, workspace_id, name, type, status, ends_at)
         SELECT gen_random_uuid(), $1, 'live', 'banner', 'LIVE', $3::timestamptz
         FROM generate_series(1, $2::int)`,
        [tenant.workspaceId, count, endsAt],
      );
    await live(10, '2020-01-01');
    await live(1_000, null);
    const launch = { id, input: { version: 1 } };
    expect(await refusals(by(tenant), 'campaignLaunch', launch)).toEqual([
      'TOO_MANY_LIVE_CAMPAIGNS',
    ]);
    await sql(
      `DELETE FROM campaigns WHERE id IN (
      SELECT id FROM campaigns WHERE workspace_id = $1 AND ends_at IS NULL AND status = 'LIVE' LIMIT 1)`,
      [tenant.workspaceId],
    );
    await change(tenant, 'campaignLaunch', { id }, { version: 1 });
  });
});

describe.concurrent('members', () => {
  test('can edit and copy drafts, but not change launched campaigns', async () => {
    const tenant = await createTenant();
    const member = by(tenant, 'member');
    const { id } = await create(tenant, {}, 'member');
    await mutate(member, 'campaignUpdate', { id, input: { version: 1, name: 'Mine' } }, ALL);
    await mutate(member, 'campaignDuplicate', { id }, ALL);
    const forbidden = async (name: string, input?: Readonly<Record<string, unknown>>) => {
      const answer = await tryMutation(member, name, { id, ...(input && { input }) }, ALL);
      expect(answer.errors?.[0]?.extensions?.code, answer.text).toBe('FORBIDDEN');
    };
    await forbidden('campaignLaunch', { version: 2 });
    await forbidden('campaignPause');
    await forbidden('campaignArchive');
    await change(tenant, 'campaignLaunch', { id }, { version: 2 });
    await forbidden('campaignUpdate', { version: 3, name: 'Not mine' });
    await change(tenant, 'campaignUpdate', { id }, { version: 3, name: 'The owner’s' });
    await change(tenant, 'campaignPause', { id });
    await forbidden('campaignUpdate', { version: 5, name: 'Not mine' });
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

describe.concurrent('the size of an audience', () => {
  const SIZE = `query ($id: ID!, $most: Int) {
    campaign(id: $id) { audienceSize(examinedMax: $most) { matching examined isComplete } }
  }`;

  test('equals the number of contacts that match, also over several reads', async () => {
    const tenant = await createTenant();
    const { workspaceId } = tenant;
    await sql(
      `INSERT INTO contacts (id, workspace_id, user_id, traits)
       SELECT gen_random_uuid(), $1, 'user-' || n,
         jsonb_build_object('n', n, 'a.b', CASE WHEN n % 2 = 0 THEN 'x' END,
           'a', jsonb_build_object('b', 'y'), 'unasked', repeat('z', 100))
       FROM generate_series(1, 2500) n`,
      [workspaceId],
    );
    await createContact(workspaceId, { traits: { n: '7', 'a.b': 'x' } });
    await createContact((await createTenant()).workspaceId, { traits: { n: 7 } });
    const size = async (audience: unknown, most: number | null = null) => {
      const id = encodeNodeId('Campaign', await createCampaign(workspaceId, { audience }));
      type Answer = { campaign: { audienceSize: unknown } };
      return (await ask<Answer>(by(tenant), SIZE, { id, most })).campaign.audienceSize;
    };
    const all = { examined: 2501, isComplete: true };
    expect(await size({ trait: 'n', operator: 'gt', value: 1_500 })).toEqual({
      matching: 1_000,
      ...all,
    });
    expect(await size({ trait: 'a.b', operator: 'eq', value: 'x' })).toEqual({
      matching: 1_251,
      ...all,
    });
    expect(await size({ trait: 'a.b', operator: 'eq', value: 'y' })).toEqual({
      matching: 1_250,
      ...all,
    });
    expect(await size({ not: { trait: 'n', operator: 'exists', value: true } })).toEqual({
      matching: 0,
      ...all,
    });
    expect(await size(undefined)).toEqual({ matching: 2501, ...all });
    expect(await size(undefined, 2501)).toEqual({ matching: 2501, ...all });
    expect(await size(undefined, 2500)).toEqual({
      matching: 2500,
      examined: 2500,
      isComplete: false,
    });
    expect(await size(undefined, 1)).toEqual({ matching: 1, examined: 1, isComplete: false });
  });

  test('counts separately whom consent allows the campaign to be shown to', async () => {
    const tenant = await createTenant();
    const { workspaceId } = tenant;
    const traits = { plan: 'pro' };
    await createContact(workspaceId, { traits, consents: { marketing: 'GRANTED' } });
    await createContact(workspaceId, { traits, consents: { marketing: 'DENIED' } });
    await createContact(workspaceId, { traits, consents: { service: 'DENIED' } });
    await createContact(workspaceId, {
      traits,
      consents: { marketing: 'GRANTED' },
      isSuppressed: true,
    });
    await createContact(workspaceId, { consents: { marketing: 'GRANTED' } });
    const audience = { trait: 'plan', operator: 'eq', value: 'pro' };
    const size = 'matching consenting examined isComplete';
    const saved = async (options: object) => {
      const id = encodeNodeId('Campaign', await createCampaign(workspaceId, options));
      const query = `query ($id: ID!) { campaign(id: $id) { audienceSize { ${size} } } }`;
      const { campaign } = await ask<{ campaign: { audienceSize: unknown } }>(by(tenant), query, {
        id,
      });
      return campaign.audienceSize;
    };
    const unsaved = async (given: Readonly<Record<string, unknown>>) => {
      const query = `query ($audience: JSON, $consentPurpose: String!) {
        audienceSize(audience: $audience, consentPurpose: $consentPurpose) { ${size} }
      }`;
      return (await ask<{ audienceSize: unknown }>(by(tenant), query, given)).audienceSize;
    };
    for (const sizeOf of [saved, unsaved]) {
      const all = { examined: 5, isComplete: true };
      const marketing = { matching: 4, consenting: 1, ...all };
      expect(await sizeOf({ audience, consentPurpose: 'marketing' })).toEqual(marketing);
      const service = { matching: 4, consenting: 3, ...all };
      expect(await sizeOf({ audience, consentPurpose: 'service' })).toEqual(service);
      const everyone = { matching: 5, consenting: 2, ...all };
      expect(await sizeOf({ consentPurpose: 'marketing' })).toEqual(everyone);
    }
  });

  test('is refused for an audience that no campaign can have', async () => {
    const tenant = await createTenant();
    const answer = await api().graphql(
      `{ audienceSize(
        audience: { trait: "plan", operator: "is", value: "pro" }, consentPurpose: "marketing"
      ) { matching } }`,
      { token: await tokenFor(tenant.organizationId) },
    );
    expect(answer.errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: ['audience', 'operator'],
    });
  });

  test('is an estimate if there are too many contacts to examine', async () => {
    const tenant = await createTenant();
    await createContact(tenant.workspaceId, { traits: { plan: 'x'.repeat(20_000) } });
    await createContact(tenant.workspaceId, { traits: { plan: 'pro', other: 'x'.repeat(20_000) } });
    const audience = { trait: 'plan', operator: 'exists', value: true };
    const id = encodeNodeId('Campaign', await createCampaign(tenant.workspaceId, { audience }));
    expect(await ask(by(tenant), SIZE, { id })).toEqual({
      campaign: { audienceSize: { matching: 1, examined: 1, isComplete: false } },
    });
  });
});

describe.concurrent('over REST', () => {
  test('campaigns are listed, retrieved, created and updated by the same rules', async () => {
    const tenant = await createTenant();
    const token = await tokenFor(tenant.organizationId);
    const call = async (method: string, path: string, body?: unknown) => {
      const answer = await api().rest(`/api/v1/campaigns${path}`, {
        token,
        method,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      });
      return { status: answer.status, body: answer.json() as Record<string, never> };
    };
    const made = await call('POST', '', {
      name: 'Sale',
      type: 'banner',
      starts_at: '2026-01-01T05:30:00+05:30',
      caps: { total_max: 2 },
      audience: { trait: 'plan', operator: 'eq', value: 'pro' },
      variants: [{ id: 'a', weight: 1 }],
    });
    expect(made).toMatchObject({
      status: 200,
      body: {
        status: 'SUCCESS',
        campaign: {
          name: 'Sale',
          status: 'DRAFT',
          starts_at: '2026-01-01T00:00:00.000Z',
          caps: { total_max: 2, window_max: null },
          variants: [{ id: 'a', weight: 1 }],
          version: 1,
        },
      },
    });
    const { id } = made.body.campaign as unknown as { id: string };
    expect(await call('GET', `/${id}`)).toEqual(made);
    const changed = await call('PATCH', `/${id}`, { version: 1, name: 'Sold', audience: null });
    expect(changed.body.campaign).toMatchObject({ name: 'Sold', audience: null, version: 2 });
    expect((await call('GET', '?search=sold&status=DRAFT')).body.items).toEqual([
      changed.body.campaign,
    ]);
    expect((await call('GET', '?status=LIVE')).body.items).toEqual([]);
    expect((await call('PATCH', `/${id}`, { version: 1 })).status).toBe(409);
    expect((await call('PATCH', `/${id}`, { name: 'x' })).status).toBe(400);
    expect((await call('POST', '', { name: 'x', type: 'banner', starts_at: 'soon' })).status).toBe(
      400,
    );
    expect((await call('GET', `/${id.replace(/^.{8}/, '00000000')}`)).status).toBe(404);
  });
});
