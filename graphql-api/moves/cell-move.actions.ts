import type { z } from 'zod';
import { kysely, type RowOf, rowsOf, sql } from '../platform/database/kysely.ts';
import { requestJob } from '../platform/jobs/request-job.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { workspaceMoveContract, workspaceMoveOfContract } from './cell-move.contract.ts';
import type { CellMoveState } from './cell-move.entity.ts';
import { moveWorkspaces } from './move-workspaces.job.ts';
import { useCell } from './use-cell.ts';

type Move = RowOf<'cell_moves'> & { readonly organizationId: string };
type Id = { readonly id: string };

/** Starts to move a workspace to another cell. The job does the rest, up to a verified copy. */
export async function workspaceMoveStart(
  scope: ActionScope,
  { workspaceId, cell: slug }: z.output<typeof workspaceMoveContract>,
): Promise<Id> {
  const { em, deps, viewer } = scope;
  const [workspace] = await rowsOf(
    em,
    sql<{ organizationId: string; cellId: string; isClosed: boolean }>`
      SELECT organization_id, cell_id, closed_at IS NOT NULL AS is_closed
      FROM workspaces JOIN organizations ON organizations.id = organization_id
      WHERE workspaces.id = ${workspaceId} FOR UPDATE OF workspaces`,
  );
  if (workspace === undefined)
    return reject('NOT_FOUND', { message: `No workspace has the ID ${workspaceId}.` });
  if (workspace.isClosed) reject('ORGANIZATION_CLOSED');
  const cell = await kysely(em)
    .selectFrom('cells')
    .select(['id', 'isEnabled'])
    .where('slug', '=', slug)
    .executeTakeFirst();
  if (cell === undefined) return reject('NOT_FOUND', { message: `No cell has the slug ${slug}.` });
  if (!cell.isEnabled || cell.id === workspace.cellId)
    reject('BAD_USER_INPUT', {
      field: ['cell'],
      message: cell.isEnabled ? 'The workspace is already in this cell.' : 'The cell is disabled.',
    });
  if ((await unfinished(scope, workspaceId)) !== undefined) reject('CELL_MOVE_EXISTS');
  const id = deps.newId();
  await kysely(em)
    .insertInto('cell_moves')
    .values({
      id,
      workspaceId,
      fromCellId: workspace.cellId,
      toCellId: cell.id,
      state: 'COPYING',
      startedBy: viewer.userId,
      startedAt: new Date(deps.clock.nowMs()),
    } as never)
    .execute();
  await note(scope, { id, workspaceId, ...workspace }, 'start', { to: slug });
  return { id };
}

/** Returns the workspace to its former cell, at once. Rows that arrived in the new one are copied back. */
export async function workspaceMoveTakeBack(
  scope: ActionScope,
  { workspaceId }: z.output<typeof workspaceMoveOfContract>,
): Promise<Id> {
  const move = await requireUnfinished(scope, workspaceId, ['COPYING', 'SWITCHED', 'VERIFIED']);
  if (move.finishRequestedAt !== null) reject('CELL_MOVE_STATE');
  // Until the switch, rows only arrive in the former cell.
  if (move.state === 'COPYING') await change(scope, move.id, { state: 'TAKEN_BACK' });
  else await useCell(scope, move, { cellId: move.fromCellId, state: 'TAKING_BACK' });
  await note(scope, move, 'take_back', { from: move.state });
  return { id: move.id };
}

/** Ends a verified or taken back move: the rows in the cell that the workspace does not use are deleted. */
export async function workspaceMoveFinish(
  scope: ActionScope,
  { workspaceId }: z.output<typeof workspaceMoveOfContract>,
): Promise<Id> {
  const move = await requireUnfinished(scope, workspaceId, ['VERIFIED', 'TAKEN_BACK']);
  const finishRequestedAt = move.finishRequestedAt ?? new Date(scope.deps.clock.nowMs());
  await change(scope, move.id, { finishRequestedAt });
  await note(scope, move, 'finish', { from: move.state });
  return { id: move.id };
}

async function requireUnfinished(
  scope: ActionScope,
  workspaceId: string,
  states: readonly CellMoveState[],
): Promise<Move> {
  const move =
    (await unfinished(scope, workspaceId)) ??
    reject('NOT_FOUND', { message: 'The workspace has no unfinished move.' });
  if (!states.includes(move.state))
    reject('CELL_MOVE_STATE', {
      message: `The move is ${move.state}; this action requires a move that is ${states.join(' or ')}.`,
    });
  return move;
}

/** Locked, so that the job and other operators wait. */
async function unfinished({ em }: ActionScope, workspaceId: string): Promise<Move | undefined> {
  const [move] = await rowsOf(
    em,
    sql<Move>`
      SELECT move.*, workspaces.organization_id FROM cell_moves AS move
      JOIN workspaces ON workspaces.id = move.workspace_id
      WHERE move.workspace_id = ${workspaceId} AND move.finished_at IS NULL FOR UPDATE OF move`,
  );
  return move;
}

async function change({ em }: ActionScope, id: string, changes: object): Promise<void> {
  await kysely(em).updateTable('cell_moves').set(changes).where('id', '=', id).execute();
}

async function note(
  scope: ActionScope,
  { id, workspaceId, organizationId }: Pick<Move, 'id' | 'workspaceId' | 'organizationId'>,
  verb: string,
  after: Readonly<Record<string, unknown>>,
): Promise<void> {
  await scope.audit({
    action: `cell_move.${verb}`,
    subjectId: id,
    after,
    organizationId,
    workspaceId,
  });
  const dueAt = new Date(scope.deps.clock.nowMs()).toISOString();
  const viewer = { ...scope.viewer, organizationId };
  await requestJob({ ...scope, viewer }, moveWorkspaces, { dueAt });
}
