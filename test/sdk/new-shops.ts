// Shops of new workspaces, and the events of their pages that analysts see.

import { expect } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import type { KeyOptions, Tenant } from '../harness/tenant.ts';
import { type EventRow, rows } from '../harness/warehouse.ts';
import { type Shop, type ShopOptions, useShops } from './shop.ts';

export type NewShop = Shop & {
  readonly tenant: Tenant;
  readonly writeKey: string;
  readonly workspaceId: string;
};

/** Shops against the run's ingest, each with a key of its own. */
export function useNewShops(): (
  options?: Partial<ShopOptions>,
  key?: KeyOptions,
) => Promise<NewShop> {
  const ingest = useSharedIngest();
  const openShop = useShops();
  return async (options = {}, key = {}) => {
    const tenant = await liveTenant(ingest(), key);
    const { writeKey, workspaceId } = tenant;
    const shop = await openShop({ host: ingest().url, writeKey, ...options });
    return { ...shop, tenant, writeKey, workspaceId };
  };
}

/** The events of a workspace in their order, once there are `count` of them. */
export function events(workspaceId: string, count: number): Promise<EventRow[]> {
  return eventually(async () => {
    const found = await rows<EventRow>(
      'SELECT * FROM events WHERE workspace_id = {workspaceId:UUID} ORDER BY timestamp, type',
      { workspaceId },
    );
    expect(found.map(({ type, event }) => [type, event])).toHaveLength(count);
    return found;
  });
}
