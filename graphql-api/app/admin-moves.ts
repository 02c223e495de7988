// The commands `cell move …` of `npm run admin`. They only write to Postgres; the API's job does the work.

import {
  workspaceMoveFinish,
  workspaceMoveStart,
  workspaceMoveTakeBack,
} from '../moves/cell-move.actions.ts';
import { workspaceMoveContract, workspaceMoveOfContract } from '../moves/cell-move.contract.ts';
import { CELL_MOVE_STATES, type CellMoveState } from '../moves/cell-move.entity.ts';
import type { TableReport } from '../moves/compare-cells.ts';
import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import { UsageError } from './admin-arguments.ts';
import type { Run, Said } from './admin-commands.ts';

export async function startMove({ act, context, options }: Run): Promise<Said> {
  const cell = options.to!;
  const found = await workspacesOf(context, options);
  const staying = found.filter(({ slug }) => slug !== cell);
  // An organization is moved once its last workspace is, so workspaces that are already in the cell are not an error.
  const ids = (options.org === undefined ? found : staying).map(({ id }) => id);
  for (const workspaceId of ids)
    await act(workspaceMoveContract, workspaceMoveStart, { workspaceId, cell });
  const text = `Moving ${count(ids.length)} to the cell ${cell}. Run "cell move status" to see the progress.`;
  return { text, data: { workspaceIds: ids, cell } };
}

export async function takeBackMove({ act, context, options }: Run): Promise<Said> {
  const ids = (await workspacesOf(context, options, true)).map(({ id }) => id);
  for (const workspaceId of ids)
    await act(workspaceMoveOfContract, workspaceMoveTakeBack, { workspaceId });
  const text = `${count(ids.length)} returned to the former cell. Rows that arrived in the other cell are being copied back. Run "cell move status" to see the progress.`;
  return { text, data: { workspaceIds: ids } };
}

export async function finishMove({ act, context, options }: Run): Promise<Said> {
  const ids = (await workspacesOf(context, options, true)).map(({ id }) => id);
  for (const workspaceId of ids)
    await act(workspaceMoveOfContract, workspaceMoveFinish, { workspaceId });
  const text = `The unused rows of ${count(ids.length)} are being deleted. Run "cell move status" to see the progress.`;
  return { text, data: { workspaceIds: ids } };
}

type Shown = {
  readonly workspaceId: string;
  readonly workspace: string;
  readonly from: string;
  readonly to: string;
  readonly state: CellMoveState;
  readonly startedAt: Date;
  readonly switchedAt: Date | null;
  readonly verifiedAt: Date | null;
  readonly checkedAt: Date | null;
  readonly finishRequestedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly rowsCompared: bigint;
  readonly rowsCopied: bigint;
  readonly report: readonly TableReport[];
  readonly waitsFor: string | null;
};

export async function moveStatus({ context, options }: Run): Promise<Said> {
  const { workspace = null, org = null } = options;
  const moves = await readAcrossTenants(context, em =>
    rowsOf(
      em,
      sql<Shown>`
        SELECT move.workspace_id, workspaces.name AS workspace, former.slug AS from, latter.slug AS to,
          move.state, move.started_at, move.switched_at, move.verified_at, move.checked_at,
          move.finish_requested_at, move.finished_at, move.rows_compared, move.rows_copied, move.report,
          move.waits_for
        FROM cell_moves AS move
        JOIN workspaces ON workspaces.id = move.workspace_id
        JOIN cells AS former ON former.id = move.from_cell_id
        JOIN cells AS latter ON latter.id = move.to_cell_id
        WHERE (${workspace}::text IS NULL OR move.workspace_id::text = ${workspace})
          AND (${org}::text IS NULL OR workspaces.organization_id::text = ${org})
        ORDER BY move.started_at DESC LIMIT 100`,
    ),
  );
  const data = moves.map(move => ({
    ...move,
    rowsCompared: Number(move.rowsCompared),
    rowsCopied: Number(move.rowsCopied),
  }));
  return { text: moves.length === 0 ? 'none' : moves.map(describe).join('\n\n'), data };
}

function describe(move: Shown): string {
  const checked = move.report.map(
    ({ table, rows, missing }) => `    ${table}: ${rows} rows, ${missing} missing`,
  );
  return [
    `${move.workspace} (${move.workspaceId}): ${move.from} to ${move.to}, ${move.state}, started ${move.startedAt.toISOString()}`,
    `  ${CELL_MOVE_STATES[move.state]}`,
    `  rows copied: ${move.rowsCopied}; rows compared in the current or last pass: ${move.rowsCompared}`,
    ...(move.waitsFor === null ? [] : [`  waiting: ${move.waitsFor}`]),
    ...(move.checkedAt === null
      ? []
      : [`  last complete comparison, ${move.checkedAt.toISOString()}:`, ...checked]),
    ...nextSteps(move).map(step => `  next: ${step}`),
  ].join('\n');
}

function nextSteps({ state, workspaceId, finishRequestedAt, finishedAt }: Shown): string[] {
  if (finishedAt !== null) return [];
  if (finishRequestedAt !== null) return ['nothing; the unused rows are being deleted'];
  const finish = `cell move finish --workspace ${workspaceId}`;
  const takeBack = `cell move take-back --workspace ${workspaceId}`;
  if (state === 'TAKEN_BACK') return [finish];
  if (state === 'TAKING_BACK') return ['wait for the state TAKEN_BACK'];
  return state === 'VERIFIED'
    ? [`${finish}, or ${takeBack}`]
    : [`wait for the state VERIFIED, or ${takeBack}`];
}

type Found = { readonly id: string; readonly slug: string };

/** One workspace, or those of an organization; With `isMoving`, only those with an unfinished move. */
async function workspacesOf(
  context: Context,
  { workspace, org }: Run['options'],
  isMoving = false,
): Promise<readonly Found[]> {
  if ((workspace === undefined) === (org === undefined))
    throw new UsageError('cell move requires either --workspace or --org.');
  const found = await readAcrossTenants(context, em =>
    rowsOf(
      em,
      sql<Found>`
        SELECT workspaces.id, cells.slug FROM workspaces JOIN cells ON cells.id = workspaces.cell_id
        WHERE (workspaces.id::text = ${workspace ?? ''} OR workspaces.organization_id::text = ${org ?? ''})
          AND (${!isMoving || org === undefined} OR EXISTS (SELECT FROM cell_moves AS move
            WHERE move.workspace_id = workspaces.id AND move.finished_at IS NULL))
        ORDER BY workspaces.id`,
    ),
  );
  if (found.length > 0) return found;
  const message = isMoving
    ? 'No unfinished move exists for this workspace or organization.'
    : 'No workspace exists with this ID, or the organization has no workspaces.';
  return reject('NOT_FOUND', { message });
}

function count(workspaces: number): string {
  return workspaces === 1 ? '1 workspace' : `${workspaces} workspaces`;
}
