// One step of a move. A step may stop anywhere and be repeated. Before the switch, rows are copied from the
// former cell to the new one. After it, rows still arrive in the cell that was left, from requests and spools
// of that time, and are copied to the cell in use. A move is verified when a comparison that began after the
// last of them arrived finds no missing rows.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../schema/values/durations.ts';
import type { Context } from '../platform/context.ts';
import { hasDelivered } from '../privacy/ingest-receipt.ts';
import type { CellMoveState } from './cell-move.entity.ts';
import { compareCells } from './compare-cells.ts';
import { emptyCell } from './empty-cell.ts';
import { cellsOf, type Move } from './open-moves.ts';
import { addProgress, changeMove, transition, writeMove } from './record-move.ts';
import { useCell } from './use-cell.ts';

/** When the next step should follow: at once, in seconds, or with the next scheduled run. */
export type Pace = 'now' | 'soon' | 'later';

/**
 * If the first pass copied more rows than this, a second pass before the switch copies the rows that arrived
 * meanwhile.
 */
const SWITCH_ROWS_MAX = 10_000;
/** Most rows that arrive around the switch are from this period, which is quick to compare. */
const RECENT_MS = 2 * HOUR_MS;
/** Ingest follows Postgres within a second. A request that began before takes a few seconds at most. */
const ROUTED_AFTER_MS = 5 * SECOND_MS;
/** After the switch, steps follow each other within seconds for this long. */
const ATTENTIVE_MS = 10 * MINUTE_MS;
/**
 * How often a moved workspace is compared again, in case rows arrive from a node that could not be reached or
 * from quarantined files.
 */
const VERIFIED_AGAIN_MS = HOUR_MS;
const FINISHED_AGAIN_MS = DAY_MS;

export async function advanceMove(
  context: Context,
  move: Move,
  signal: AbortSignal,
): Promise<Pace> {
  switch (move.state) {
    case 'COPYING':
      return copyThenSwitch(context, move, signal);
    case 'SWITCHED':
      return copyThenVerify(context, move, 'VERIFIED', signal);
    case 'TAKING_BACK':
      return copyThenVerify(context, move, 'TAKEN_BACK', signal);
    case 'VERIFIED':
    case 'TAKEN_BACK':
      if (move.finishRequestedAt === null) return verifyAgain(context, move, signal);
      return finish(context, move, signal);
    case 'DONE':
      return finish(context, move, signal);
  }
}

async function copyThenSwitch(context: Context, move: Move, signal: AbortSignal): Promise<Pace> {
  const isFirst = move.checkedAt === null;
  const missing = await compare(context, move, signal);
  if (isFirst && missing > SWITCH_ROWS_MAX) return 'now';
  const { nodes } = await context.deps.ingestNodes.ask();
  // A node without the address of the cell would refuse the requests of the workspace.
  const isKnown = nodes.every(
    ({ isAnswering, spools }) =>
      isAnswering && (spools.length === 0 || spools.some(({ cell }) => cell === move.toSlug)),
  );
  if (!isKnown) {
    const waitsFor = `an ingest node is not responding, or it has no CLICKHOUSE_URL for the cell ${move.toSlug}`;
    await writeMove(context, move, { waitsFor });
    return 'later';
  }
  await compare(context, move, signal, recently(context));
  await transition(context, move, 'switch', scope =>
    useCell(scope, move, { cellId: move.toCellId, state: 'SWITCHED' }),
  );
  return 'now';
}

async function copyThenVerify(
  context: Context,
  move: Move,
  state: CellMoveState,
  signal: AbortSignal,
): Promise<Pace> {
  const { clock, ingestNodes } = context.deps;
  const switchedMs = move.switchedAt!.getTime();
  const pace = clock.nowMs() < switchedMs + ATTENTIVE_MS ? 'soon' : 'later';
  // Queried before the comparison, so that the comparison covers everything that was delivered.
  const { nodes, askedAtMs } = await ingestNodes.ask();
  const sinceMs = askedAtMs - switchedMs - ROUTED_AFTER_MS;
  if (sinceMs <= 0 || !hasDelivered(nodes, cellsOf(move).from, sinceMs)) {
    await compare(context, move, signal, recently(context));
    const waitsFor = `ingest nodes have not yet delivered all rows that they accepted for the cell ${cellsOf(move).from}`;
    await writeMove(context, move, { waitsFor });
    return pace;
  }
  if ((await compare(context, move, signal)) > 0) return pace;
  const verifiedAt = new Date(clock.nowMs());
  await transition(context, move, 'verify', scope =>
    changeMove(scope.em, move, { state, verifiedAt, waitsFor: null }),
  );
  return 'later';
}

async function verifyAgain(context: Context, move: Move, signal: AbortSignal): Promise<Pace> {
  if (!isDue(context, move, VERIFIED_AGAIN_MS)) return 'later';
  if ((await compare(context, move, signal)) === 0) return 'later';
  const state = move.state === 'VERIFIED' ? 'SWITCHED' : 'TAKING_BACK';
  await transition(context, move, 'reopen', scope =>
    changeMove(scope.em, move, { state, verifiedAt: null }),
  );
  return 'now';
}

/** Also later, for rows that arrive in the cell that was left after the move. */
async function finish(context: Context, move: Move, signal: AbortSignal): Promise<Pace> {
  if (move.finishedAt !== null && !isDue(context, move, FINISHED_AGAIN_MS)) return 'later';
  const { clock, warehouses } = context.deps;
  const transfer = await warehouses.between(move.workspaceId, cellsOf(move), signal);
  const isEmpty = await emptyCell(transfer, () => compare(context, move, signal));
  if (!isEmpty) return 'later';
  const finishedAt = new Date(clock.nowMs());
  if (move.finishedAt === null)
    await transition(context, move, 'done', scope =>
      changeMove(scope.em, move, {
        state: move.state === 'VERIFIED' ? 'DONE' : move.state,
        finishedAt,
        checkedAt: finishedAt,
      }),
    );
  else await writeMove(context, move, { checkedAt: finishedAt });
  return 'later';
}

function isDue({ deps }: Context, { checkedAt }: Move, afterMs: number): boolean {
  return checkedAt === null || checkedAt.getTime() + afterMs <= deps.clock.nowMs();
}

function recently({ deps }: Context): number {
  return deps.clock.nowMs() - RECENT_MS;
}

/** Copies what the cell in use lacks; before the switch, what the new one lacks. Returns the number of these rows. */
async function compare(
  context: Context,
  move: Move,
  signal: AbortSignal,
  sinceMs?: number,
): Promise<number> {
  const { clock, database, warehouses } = context.deps;
  const transfer = await warehouses.between(move.workspaceId, cellsOf(move), signal);
  await writeMove(context, move, { rowsCompared: 0n });
  const report = await compareCells(transfer, {
    sinceMs,
    signal,
    onRange: (compared, copied) =>
      database.asSystem(em => addProgress(em, move, { compared, copied })),
  });
  const missing = report.reduce((sum, table) => sum + table.missing, 0);
  const isComplete = sinceMs === undefined;
  if (isComplete)
    await writeMove(context, move, {
      report: JSON.stringify(report),
      checkedAt: new Date(clock.nowMs()),
      waitsFor: null,
    });
  return missing;
}
