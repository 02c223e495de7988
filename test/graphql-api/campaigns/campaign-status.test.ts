import { describe, expect, test } from 'vitest';
import { createTenant, sql } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { mutate, refusals, tryMutation } from '../harness/mutate.ts';
import { ALL, audited, campaignActions } from './campaign-actions.ts';

const api = useSharedApi();

const { by, create, change } = campaignActions(api);

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
