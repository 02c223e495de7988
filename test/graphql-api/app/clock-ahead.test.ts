// The service's clock is two days ahead of Postgres's and the machine's: these times are by the
// service's clock.

import { beforeAll, expect, test } from 'vitest';
import { HOUR_MS } from '../../../schema/values/durations.ts';
import { createTenant } from '../../harness/tenant.ts';
import { type Caller, useClockedApi } from '../partner/clocked-api.ts';

const api = useClockedApi();
let now: string;
let owner: Caller;
beforeAll(async () => {
  now = new Date(Date.now() + 48 * HOUR_MS).toISOString();
  api().setClock(now);
  const tenant = await createTenant({ databaseUrl: api().ownerUrl });
  owner = await api().caller(tenant.organizationId);
});

test('a contact', async () => {
  const { contact } = await owner.mutate('contactUpsert', 'contact { createdAt updatedAt }', {
    input: { userId: 'ada' },
  });
  expect(contact).toEqual({ createdAt: now, updatedAt: now });
});

test('a replay of rejected events, which counts as unfinished for an hour', async () => {
  const input = { codes: ['INVALID_TIMESTAMP'], since: now };
  const request = () => owner.mutate('rejectedEventsReplay', 'replay { createdAt }', { input });
  for (let number = 1; number <= 5; number++)
    expect((await request()).replay).toEqual({ createdAt: now });
  expect((await request()).userErrors).toMatchObject([{ code: 'TOO_MANY_REPLAYS' }]);
  api().setClock(new Date(Date.parse(now) + 2 * HOUR_MS).toISOString());
  expect((await request()).userErrors).toEqual([]);
  api().setClock(now);
});
