import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { expectProblem, liveTenant } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import type { Answer } from '../harness/http.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { named, SDK_ENDPOINTS, type SdkEndpoint, sendValid } from '../harness/sdk-endpoints.ts';
import { sql, type Tenant } from '../harness/tenant.ts';

const suffix = randomBytes(4).toString('hex');
const OFF = { slug: `off-${suffix}`, isEnabled: false };
const NOWHERE = { slug: `nowhere-${suffix}`, isEnabled: true };
/** The cell that this file enables and disables. */
const SWITCHED = { slug: `switched-${suffix}`, isEnabled: true };

let ingest: IngestProcess;
beforeAll(async () => {
  // A single thread, so that a change visible to one request is visible to all.
  ingest = await startIngest({
    threads: 1,
    env: Object.fromEntries(
      [OFF, SWITCHED].map(({ slug }) => [
        `CLICKHOUSE_URL_${slug.replaceAll('-', '_').toUpperCase()}`,
        inject('clickhouseUrl'),
      ]),
    ),
  });
});
afterAll(async () => {
  await ingest?.stop();
});

async function sendOne(endpoint: SdkEndpoint, tenant: Tenant): Promise<Answer> {
  const headers = { origin: 'https://shop.example.com' };
  return sendValid(ingest, endpoint, tenant, await endpoint.valid(tenant), { headers });
}

function expectUnavailable(answer: Answer): void {
  expectProblem(answer, 502, 'CELL_UNAVAILABLE');
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(answer.headers['access-control-allow-origin']).toBe('https://shop.example.com');
}

describe.concurrent.for(named(SDK_ENDPOINTS))('CELL_UNAVAILABLE: $name', endpoint => {
  test('a disabled cell', async () => {
    expectUnavailable(await sendOne(endpoint, await liveTenant(ingest, { cell: OFF })));
  });

  test('a cell without an address, for endpoints that write rows', async () => {
    const answer = await sendOne(endpoint, await liveTenant(ingest, { cell: NOWHERE }));
    const needsOnlyPostgres = /devices|active/.test(endpoint.route);
    if (needsOnlyPostgres) expect(answer.status).toBe(200);
    else expectUnavailable(answer);
  });

  test('a refused request does not count toward a cap', async () => {
    const tenant = await liveTenant(ingest, { cell: OFF, minuteCap: 1 });
    for (let i = 0; i < 3; i++) expectUnavailable(await sendOne(endpoint, tenant));
  });
});

test('disabling and enabling a cell takes effect', async () => {
  const tenant = await liveTenant(ingest, { cell: SWITCHED });
  const setEnabled = (isEnabled: boolean) =>
    sql('UPDATE cells SET is_enabled = $1 WHERE slug = $2', [isEnabled, SWITCHED.slug]);
  for (const endpoint of SDK_ENDPOINTS) expect((await sendOne(endpoint, tenant)).status).toBe(200);
  await setEnabled(false);
  for (const endpoint of SDK_ENDPOINTS)
    await eventually(async () => expectUnavailable(await sendOne(endpoint, tenant)));
  await setEnabled(true);
  for (const endpoint of SDK_ENDPOINTS)
    await eventually(async () => expect((await sendOne(endpoint, tenant)).status).toBe(200));
});
