import { changeEntity, lockEntity } from '../platform/change-entity.ts';
import { countOf } from '../platform/database/count-of.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { Cell } from './cell.entity.ts';
import type { WorkspaceCreate, WorkspaceUpdate } from './workspace.contract.ts';
import { Workspace } from './workspace.entity.ts';

/** Limited because ingest keeps the workspaces of all tenants in memory. */
const WORKSPACES_MAX = 100;

/** Creates a workspace in the viewer's organization, independent of the workspace of the
 * request. */
export async function workspaceCreate(
  scope: ActionScope,
  input: WorkspaceCreate,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const { organizationId } = viewer;
  await oneAtATime(scope, `workspaces of ${organizationId}`);
  if ((await countOf(em, Workspace, { organizationId })) >= WORKSPACES_MAX)
    reject('TOO_MANY_WORKSPACES');
  const cell = await chooseCell(scope, input.region ?? undefined);
  const id = deps.newId();
  await em.insert(Workspace, {
    id,
    organizationId,
    cellId: cell.id,
    name: input.name,
    createdAt: new Date(deps.clock.nowMs()),
  });
  await audit({
    action: 'workspace.create',
    subjectId: id,
    after: { name: input.name, cell: cell.slug, region: cell.region },
    workspaceId: id,
  });
  return { id };
}

/** Updates the name and the in-app caps of the viewer's workspace. */
export async function workspaceUpdate(
  scope: ActionScope,
  changes: WorkspaceUpdate,
): Promise<{ readonly id: string }> {
  const { organizationId } = scope.viewer;
  const id = workspaceOf(scope.viewer);
  const workspace =
    (await lockEntity(scope, Workspace, { id, organizationId })) ?? reject('WORKSPACE_FORBIDDEN');
  return changeEntity(scope, workspace, changes, {
    action: 'workspace.update',
    shown: ({ name, inAppDailyMax, inAppIntervalSecondsMin }) => ({
      name,
      inAppDailyMax,
      inAppIntervalSecondsMin,
    }),
  });
}

/** Prefers the cell of the oldest workspace; otherwise distributes organizations across cells. */
async function chooseCell(
  { em, viewer: { organizationId } }: ActionScope,
  region: string | undefined,
): Promise<Cell> {
  const where = { isEnabled: true, ...(region !== undefined && { region }) };
  const cells = await em.find(Cell, where, { orderBy: { slug: 'asc' } });
  const cellIds = cells.map(({ id }) => id);
  const oldest = { orderBy: { createdAt: 'asc', id: 'asc' } } as const;
  const own = await em.findOne(
    Workspace,
    { organizationId, cellId: { $in: cellIds } },
    { ...oldest, fields: ['cellId'] },
  );
  // The last digits of a UUIDv7 are random.
  const spread = Number.parseInt(organizationId.slice(-8), 16) % Math.max(cells.length, 1);
  const cell = cells.find(({ id }) => id === own?.cellId) ?? cells[spread];
  return cell ?? reject('NO_CELL', { field: ['region'] });
}
