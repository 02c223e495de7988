// The live view of incoming data: ingest, the control plane and a browser as real processes.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { type ApiProcess, startApi } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { batchText, eventText } from '../harness/batch.ts';
import { eventually } from '../harness/eventually.ts';
import { send } from '../harness/http.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { INTERNAL_TOKEN } from '../harness/internal.ts';
import { onEveryThread } from '../harness/on-every-thread.ts';
import { createTenant, type Tenant, type TenantOptions } from '../harness/tenant.ts';
import { countEvents, rejectedEvents } from '../harness/warehouse.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';

/** The API sends no warehouse rows: other tests read the waiting rows of the shared database. */
const NOWHERE = 'http://127.0.0.1:9';

/** Three accepted events and four rejected ones. */
export const MIXED = [
  eventText({
    userId: '"ann"',
    properties:
      '{"order_id":"A-1024","total":49.90,"big":12345678901234567890,"items":[{"sku":"tea","count":2},{"sku":"cup","count":1}],"is_gift":false,"note":null,"tags":[]}',
  }),
  eventText({ event: '"Cart Viewed"' }),
  eventText({ type: '"page"', event: undefined, name: '"Home"', userId: '"bob"' }),
  eventText({ event: '"Checkout Started"', timestamp: '"yesterday"', userId: '"bob"' }),
  eventText({ event: '"Product Viewed"', sessionId: undefined }),
  eventText({ type: '"clicked"', userId: '"ann"' }),
  eventText({ properties: '{"a":{"b":{"c":{"d":{"e":{"f":1}}}}}}', event: '"Deep"' }),
];

type Role = 'member' | 'platform_admin';

export function useLive() {
  const { ingest, api } = useProcesses();
  const open = useConsole(useChromium());

  /** Creates a tenant that every thread of ingest knows. */
  async function newTenant(options: TenantOptions = {}): Promise<Tenant> {
    const tenant = await createTenant(options);
    await eventually(() =>
      onEveryThread(async () => expect((await post(tenant, [])).status).toBe(400)),
    );
    return tenant;
  }

  function post(tenant: Tenant, events: readonly string[]) {
    return send(`${ingest().url}/v1/batch`, {
      headers: { 'content-type': 'application/json' },
      body: batchText(tenant.writeKey, events),
    });
  }

  /** Posts these events, and some without a required field; resolves when they are in ClickHouse. */
  async function postStored(tenant: Tenant, accepted: readonly string[], rejectedCount = 0) {
    const rejected = Array.from({ length: rejectedCount }, () =>
      eventText({ sessionId: undefined }),
    );
    await post(tenant, [...accepted, ...rejected]);
    await rejectedEvents(tenant.workspaceId, rejectedCount);
    await eventually(async () =>
      expect(await countEvents(tenant.workspaceId)).toBe(accepted.length),
    );
  }

  async function openAs(role: Role, tenant: Tenant, path: string): Promise<Page> {
    const token = await tokenFor(tenant.organizationId, { roles: [role] });
    return open({ url: api().url, token, path });
  }

  /** Opens the view; resolves when it no longer misses events. */
  async function openLive(tenant: Tenant, query = '', role: Role = 'member'): Promise<Page> {
    const page = await openAs(role, tenant, `/live${query}`);
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    return page;
  }
  return { ingest, newTenant, post, postStored, openAs, openLive };
}

function useProcesses() {
  let ingest: IngestProcess;
  let api: ApiProcess;
  beforeAll(async () => {
    ingest = await startIngest({ env: { INTERNAL_TOKEN } });
    api = await startApi({
      env: {
        INTERNAL_TOKEN,
        INGEST_URL: NOWHERE,
        INGEST_NODE_URLS: ingest.url,
        RATE_POINTS_PER_SECOND: '1000',
      },
    });
  });
  afterAll(async () => {
    await Promise.all([api?.stop(), ingest?.stop()]);
  });
  return { ingest: () => ingest, api: () => api };
}

export function listOf(page: Page) {
  return page.getByRole('list', { name: 'Events, newest first' });
}

export function rowsOf(page: Page) {
  return listOf(page).getByRole('listitem');
}
