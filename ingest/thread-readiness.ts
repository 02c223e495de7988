// The part of `/readyz` about a thread and the state that it shares with the others.

import type { CellIntake } from './http/cell-refusal.ts';
import type { Readiness } from './http/operating-endpoints.ts';
import type { SpoolBudget } from './spool/budget.ts';
import type { ProcessState } from './thread-messages.ts';

type Observed = {
  readonly isLeaving: boolean;
  /** Whether the spool is being drained. */
  readonly isRefusing: boolean;
  readonly hasDirectory: boolean;
  readonly state: ProcessState;
  readonly pipelineByCell: ReadonlyMap<string, CellIntake & { stats(): object }>;
  /** The budgets of the cells, which all threads share. */
  readonly budgets: readonly SpoolBudget[];
};

export function threadReadiness(observed: Observed): Readiness {
  const { isRefusing, state, pipelineByCell } = observed;
  const cells = Object.fromEntries(
    [...pipelineByCell].map(([cell, pipeline]) => {
      const room = pipeline.writableLog() === undefined ? pipeline.notWritable : pipeline.room();
      return [cell, { room, ...pipeline.stats() }];
    }),
  );
  const unsentBytes = observed.budgets.reduce((sum, budget) => sum + budget.unsentBytes(), 0);
  const rooms = Object.values(cells).map(cell => cell.room);
  const postgres = state.isPostgresReachable ? 'reachable' : 'away';
  return {
    reasons: isRefusing ? [drainReason(unsentBytes)] : reasonsOf(observed, rooms),
    facts: {
      cells,
      postgres,
      quarantined: quarantined(state),
      ...(isRefusing ? { drained: unsentBytes === 0 } : {}),
    },
  };
}

function reasonsOf(
  { isLeaving, hasDirectory, state }: Observed,
  rooms: readonly string[],
): readonly string[] {
  const reasons: string[] = [];
  if (isLeaving) reasons.push('draining');
  if (!hasDirectory) reasons.push('the directory of SDK keys is not loaded yet');
  if (!state.isFirstLookDone) reasons.push('live campaigns are not loaded yet');
  if (!rooms.includes('room')) reasons.push(`no cell can store events: ${rooms.join(', ')}`);
  return reasons;
}

function drainReason(unsentBytes: number): string {
  return unsentBytes === 0
    ? 'the spool is drained'
    : `the spool is being drained: ${unsentBytes} bytes left`;
}

/** Quarantined files of the whole node, by cell. They do not affect readiness. */
function quarantined(state: ProcessState) {
  const entries = Object.entries(state.quarantined).filter(([, { files }]) => files > 0);
  return Object.fromEntries(
    entries.map(([cell, { files, bytes, oldestAtMs = 0 }]) => {
      return [cell, { files, bytes, oldestAt: new Date(oldestAtMs).toISOString() }];
    }),
  );
}
