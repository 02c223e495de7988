// An operator's changes are soon visible in every thread, in whatever order they are committed.

import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { fetchActive, fetchIds, fetchList, untilShown } from '../harness/active.ts';
import { liveTenant } from '../harness/batch-client.ts';
import { createCampaign } from '../harness/campaign.ts';
import { eventually } from '../harness/eventually.ts';
import { startIngest, useIngest } from '../harness/ingest-process.ts';
import { onEveryThread } from '../harness/on-every-thread.ts';
import { sql, type Tenant } from '../harness/tenant.ts';

const ingest = useIngest();
const somebody = { userId: 'user-1' };

function change(campaignId: string, assignment: string): Promise<unknown> {
  return sql(`UPDATE campaigns SET ${assignment} WHERE id = $1`, [campaignId]);
}

async function liveCampaign(options = {}): Promise<{ tenant: Tenant; id: string }> {
  const tenant = await liveTenant(ingest());
  const id = await createCampaign(tenant.workspaceId, options);
  await untilShown(ingest(), tenant, [id], somebody);
  return { tenant, id };
}

describe.concurrent('a change by an operator takes effect', () => {
  test('of the content', async () => {
    const { tenant, id } = await liveCampaign({ content: { title: 'Before' } });
    await change(id, `content = '{"title": "After"}', name = 'New name', priority = 4`);
    await eventually(() =>
      onEveryThread(async () =>
        expect(await fetchList(ingest(), tenant, somebody)).toEqual([
          expect.objectContaining({ content: { title: 'After' }, name: 'New name', priority: 4 }),
        ]),
      ),
    );
  });

  test('of the order', async () => {
    const { tenant, id } = await liveCampaign();
    const other = await createCampaign(tenant.workspaceId);
    await untilShown(ingest(), tenant, [id, other], somebody);
    await change(other, 'priority = 1');
    await untilShown(ingest(), tenant, [other, id], somebody);
  });

  test.each(['PAUSED', 'ARCHIVED', 'DRAFT'])(
    '%s hides a campaign, and LIVE shows it again',
    async status => {
      const { tenant, id } = await liveCampaign();
      await change(id, `status = '${status}'`);
      await untilShown(ingest(), tenant, [], somebody);
      await untilShown(ingest(), tenant, []);
      await change(id, `status = 'LIVE'`);
      await untilShown(ingest(), tenant, [id], somebody);
    },
  );

  test('of surfaces, audience and purpose', async () => {
    const { tenant, id } = await liveCampaign();
    await change(id, `surfaces = '{bill}'`);
    await untilShown(ingest(), tenant, [], { ...somebody, surface: 'home' });
    await untilShown(ingest(), tenant, [id], { ...somebody, surface: 'bill' });
    await change(id, `audience = '{"trait": "plan", "operator": "eq", "value": "pro"}'`);
    await untilShown(ingest(), tenant, [], somebody);
    await change(id, `audience = NULL`);
    await untilShown(ingest(), tenant, [id]);
    await change(id, `consent_purpose = 'marketing'`);
    await untilShown(ingest(), tenant, [], somebody);
  });

  test('many at once', async () => {
    const tenant = await liveTenant(ingest());
    const ids: string[] = [];
    for (let number = 0; number < 45; number++)
      ids.push(await createCampaign(tenant.workspaceId, { status: 'DRAFT' }));
    await sql(`UPDATE campaigns SET status = 'LIVE', content = $2 WHERE workspace_id = $1`, [
      tenant.workspaceId,
      { text: 'x'.repeat(20_000) },
    ]);
    await untilShown(ingest(), tenant, ids, somebody);
  });
});

describe.concurrent('its schedule', () => {
  test('starts and ends by itself', async () => {
    const { tenant, id } = await liveCampaign();
    const startsAt = new Date(Date.now() + 2_000);
    const endsAt = new Date(Date.now() + 5_000);
    const timed = await createCampaign(tenant.workspaceId, { startsAt, endsAt, priority: -1 });
    const seenAtMs: number[] = [];
    await eventually(
      async () => {
        const askedAtMs = Date.now();
        const shown = await fetchIds(ingest(), tenant, somebody);
        if (shown.includes(timed)) seenAtMs.push(askedAtMs, Date.now());
        expect(shown).toEqual([id]);
        expect(Date.now()).toBeGreaterThan(endsAt.getTime());
      },
      { intervalMs: 20 },
    );
    expect(seenAtMs.length).toBeGreaterThan(0);
    expect(Math.max(...seenAtMs)).toBeGreaterThanOrEqual(startsAt.getTime());
    expect(seenAtMs[1]).toBeGreaterThanOrEqual(startsAt.getTime());
    expect(seenAtMs.at(-2)).toBeLessThan(endsAt.getTime());
  });

  test('one that ended or starts later is not shown', async () => {
    const { tenant, id } = await liveCampaign();
    const hour = 3_600_000;
    await createCampaign(tenant.workspaceId, { endsAt: new Date(Date.now() - 1_000) });
    await createCampaign(tenant.workspaceId, { startsAt: new Date(Date.now() + hour) });
    const marker = await createCampaign(tenant.workspaceId);
    await untilShown(ingest(), tenant, [id, marker], somebody);
  });
});

describe.concurrent('commits', () => {
  test('in another order than the starts of their transactions are all applied', async () => {
    const tenant = await liveTenant(ingest());
    const slow = new pg.Client({ connectionString: inject('databaseUrls').owner });
    await slow.connect();
    try {
      await slow.query('BEGIN');
      const early = await createCampaign(tenant.workspaceId, { status: 'DRAFT' });
      await slow.query(`UPDATE campaigns SET status = 'LIVE' WHERE id = $1`, [early]);
      const others: string[] = [];
      for (let number = 0; number < 3; number++) {
        others.push(await createCampaign(tenant.workspaceId));
        // Meanwhile ingest polls several times and sees the later transaction, but not the earlier
        // one.
        await untilShown(ingest(), tenant, others, somebody);
      }
      await slow.query('COMMIT');
      await untilShown(ingest(), tenant, [early, ...others], somebody);
    } finally {
      await slow.end();
    }
  });

  test('that are rolled back are not applied', async () => {
    const { tenant, id } = await liveCampaign();
    const client = new pg.Client({ connectionString: inject('databaseUrls').owner });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query(`UPDATE campaigns SET status = 'PAUSED' WHERE id = $1`, [id]);
      const marker = await createCampaign(tenant.workspaceId);
      await untilShown(ingest(), tenant, [id, marker], somebody);
      await client.query('ROLLBACK');
      const another = await createCampaign(tenant.workspaceId);
      await untilShown(ingest(), tenant, [id, marker, another], somebody);
    } finally {
      await client.end();
    }
  });
});

describe.concurrent('an invalid campaign', () => {
  test.each([
    ['an audience that is none', `audience = '{"trait": "plan"}'`],
    ['variants that are none', `variants = '[{"id": "a"}]'`],
    [
      'more content than a campaign may have',
      `content = jsonb_build_object('a', repeat('x', 300000))`,
    ],
  ])('with %s is never shown, and other campaigns are', async (_, assignment) => {
    const { tenant, id } = await liveCampaign();
    await change(id, assignment);
    const marker = await createCampaign(tenant.workspaceId);
    await untilShown(ingest(), tenant, [marker], somebody);
    expect(ingest().logs()).toContain(id);
  });
});

test.concurrent('each person has a variant, the same in every thread and after a restart', async () => {
  const node = await startIngest();
  try {
    const tenant = await liveTenant(node);
    const variants = [
      { id: 'a', weight: 1, content: { title: 'A' } },
      { id: 'b', weight: 1 },
    ];
    const content = { title: 'Own' };
    const id = await createCampaign(tenant.workspaceId, { content, variants });
    await untilShown(node, tenant, [id], somebody);
    const seen = async () => {
      const found: string[] = [];
      for (let number = 0; number < 24; number++) {
        const [shown] = await fetchList(node, tenant, { userId: `user-${number}` });
        const expected = shown!.variant_id === 'a' ? { title: 'A' } : content;
        expect(shown!.content).toEqual(expected);
        found.push(String(shown!.variant_id));
      }
      return found.join('');
    };
    const before = await seen();
    expect(before).toMatch(/^(?=.*a)(?=.*b)[ab]{24}$/);
    expect(await seen()).toBe(before);
    await node.stop();
    await node.restart();
    await eventually(async () =>
      expect((await fetchActive(node, tenant, somebody)).status).toBe(200),
    );
    await untilShown(node, tenant, [id], somebody);
    expect(await seen()).toBe(before);
  } finally {
    await node.stop();
  }
});
