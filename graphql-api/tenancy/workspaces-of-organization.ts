import type { Database } from '../platform/database/database.ts';
import type { Workspaces } from '../platform/identify.ts';
import { Workspace } from './workspace.entity.ts';

/** How long the result of `onlyOf` is cached. A second workspace can go unnoticed for this long. */
const ONLY_ONE_MS = 5_000;
/** About 100 bytes each. */
const REMEMBERED_MAX = 50_000;

/** Cached, because every request needs it. */
export function createWorkspaces(database: Database, clock: { nowMs(): number }): Workspaces {
  // A workspace never changes its organization, so positive results never expire.
  const owned = new Set<string>();
  const only = new Map<string, { workspaceId: string | undefined; untilMs: number }>();

  return {
    async isOf(organizationId, workspaceId) {
      const pair = `${organizationId} ${workspaceId}`;
      if (owned.has(pair)) return true;
      const [found] = await idsOf(database, organizationId, workspaceId);
      if (found === undefined) return false;
      if (owned.size >= REMEMBERED_MAX) owned.clear();
      owned.add(pair);
      return true;
    },
    async onlyOf(organizationId) {
      const known = only.get(organizationId);
      const nowMs = clock.nowMs();
      if (known !== undefined && known.untilMs > nowMs) return known.workspaceId;
      const ids = await idsOf(database, organizationId);
      // Not cached, so that the first workspace takes effect immediately.
      if (ids.length === 0) return undefined;
      const workspaceId = ids.length === 1 ? ids[0] : undefined;
      if (only.size >= REMEMBERED_MAX) only.clear();
      only.set(organizationId, { workspaceId, untilMs: nowMs + ONLY_ONE_MS });
      return workspaceId;
    },
  };
}

async function idsOf(database: Database, organizationId: string, id?: string): Promise<string[]> {
  const transaction = await database.openRead(organizationId);
  try {
    const where = { organizationId, ...(id === undefined ? {} : { id }) };
    const rows = await transaction.em.find(Workspace, where, { fields: ['id'], limit: 2 });
    return rows.map(row => row.id);
  } finally {
    await transaction.close();
  }
}
