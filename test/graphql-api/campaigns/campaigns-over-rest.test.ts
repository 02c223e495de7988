import { describe, expect, test } from 'vitest';
import { createTenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();

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
