import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../platform/context.ts';
import { kysely } from '../platform/database/kysely.ts';
import { requestJob } from '../platform/jobs/request-job.ts';
import type { Viewer } from '../platform/viewer.ts';
import { applyAnalystLogins } from '../tenancy/apply-analyst-logins.job.ts';
import type { CellMoveState } from './cell-move.entity.ts';

type Scope = { readonly em: EntityManager; readonly viewer: Viewer; readonly deps: AppDeps };

type Moved = {
  readonly id: string;
  readonly workspaceId: string;
  readonly organizationId: string;
};

/**
 * Changes the cell of the workspace, together with the state of its move, which the caller has locked. Ingest
 * and reports follow within a second, analyst logins within seconds.
 */
export async function useCell(
  scope: Scope,
  { id, workspaceId, organizationId }: Moved,
  { cellId, state }: { readonly cellId: string; readonly state: CellMoveState },
): Promise<void> {
  const { em, deps } = scope;
  const switchedAt = new Date(deps.clock.nowMs());
  await kysely(em)
    .updateTable('workspaces')
    .set({ cellId })
    .where('id', '=', workspaceId)
    .execute();
  await kysely(em)
    .updateTable('cell_moves')
    .set({ state, switchedAt, verifiedAt: null, waitsFor: null })
    .where('id', '=', id)
    .execute();
  const viewer = { ...scope.viewer, organizationId };
  await requestJob({ ...scope, viewer }, applyAnalystLogins, { dueAt: switchedAt.toISOString() });
}
