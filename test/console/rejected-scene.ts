// Workspaces with rejected events: ingest, the API and ClickHouse as real processes.

import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import type { ApiProcess } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { type OutboxScene, outboxScene } from '../graphql-api/platform/warehouse/outbox-scene.ts';
import { eventText } from '../harness/batch.ts';
import { postEvents, untilKnown } from '../harness/batch-client.ts';
import type { Tenant } from '../harness/tenant.ts';
import { rejectedEvents } from '../harness/warehouse.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';

const SDK = '{"library":{"name":"engagement-client","version":"0.1.0"}}';
export const REJECTED = [
  eventText({ event: '"Checkout Started"', timestamp: '"yesterday"', context: SDK }),
  eventText({ event: '"Checkout Started"', timestamp: '"soon"', context: SDK, userId: '"bob"' }),
  eventText({ event: '"Order Completed"', timestamp: '"later"', userId: '"ann"' }),
  eventText({ event: '"Product Viewed"', sessionId: undefined }),
  eventText({ type: '"clicked"' }),
];

export const REASONS = 'Rejected events by reason';
export const GROUPS = 'Groups of rejected events';
export const SESSION_MISSING = /sessionId is missing/;

type RejectedScene = {
  /** A tenant whose rejected events are in ClickHouse. */
  readonly tenantWith: (events?: readonly string[]) => Promise<Tenant>;
  /** Sends events to the tenant. */
  readonly post: (tenant: Tenant, events: readonly string[]) => Promise<unknown>;
  readonly openAs: (role: 'owner' | 'member', tenant: Tenant, path: string) => Promise<Page>;
};

export function useRejected(): RejectedScene {
  let scene: OutboxScene;
  let api: ApiProcess;
  const open = useConsole(useChromium());
  beforeAll(async () => {
    scene = await outboxScene();
    api = await scene.startApi();
  });
  afterAll(() => scene?.close());
  const post = ({ writeKey }: Tenant, events: readonly string[]) =>
    postEvents(scene.ingest, writeKey, events);
  return {
    post,
    async tenantWith(events = REJECTED) {
      const tenant = await scene.createTenant();
      await untilKnown(scene.ingest, tenant.writeKey);
      await post(tenant, events);
      await rejectedEvents(tenant.workspaceId, events.length);
      return tenant;
    },
    async openAs(role, tenant, path) {
      const token = await tokenFor(tenant.organizationId, { roles: [role] });
      return open({ url: api.url, token, path });
    },
  };
}

export function rowOf(page: Page, table: string, text: string): Locator {
  return page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text });
}

/** The text of the focused element. */
export const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent ?? '');
export const isFocused = (element: Element) => element === document.activeElement;
