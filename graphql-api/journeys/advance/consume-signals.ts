// Advances the enrolments that wait at a widget. The acknowledgement that ends a widget wrote a
// signal, and each signal is consumed once.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../../platform/context.ts';
import { rowsOf, sql } from '../../platform/database/kysely.ts';
import type { JourneyNode } from '../nodes.ts';
import { nextOf, type Position } from '../walk.ts';
import { writePositions } from './write-positions.ts';

/** Keeps transactions short and the number of locks small. */
export const SIGNALS_MAX = 1_000;

/**
 * Returns the number of signals. A signal of an expired widget or an ended enrolment has no effect.
 */
export async function consumeSignals({
  clock,
  database,
}: Pick<AppDeps, 'clock' | 'database'>): Promise<number> {
  return database.asSystem(em => consumeIn(em, clock.nowMs()));
}

type Signal = {
  readonly id: string;
  readonly enrolmentId: string | null;
  readonly nodeId: string;
  readonly outcome: 'CLICKED' | 'DISMISSED';
};

type Waiting = { readonly id: string; readonly nodeId: string; readonly node: JourneyNode };

async function consumeIn(em: EntityManager, nowMs: number): Promise<number> {
  const signals = await takeSignals(em, new Date(nowMs));
  const enrolmentIds = signals.flatMap(({ enrolmentId }) => enrolmentId ?? []);
  if (enrolmentIds.length === 0) return signals.length;
  const moves = (await lockWaiting(em, enrolmentIds)).flatMap(({ id, nodeId, node }) => {
    const signal = signals.find(one => one.enrolmentId === id && one.nodeId === nodeId);
    if (signal === undefined) return [];
    const position: Position = {
      nodeId: nextOf(node, signal.outcome),
      state: 'READY',
      nextAtMs: nowMs,
    };
    return [{ id, position }];
  });
  const positions = moves.map(({ position }) => position);
  await writePositions(em, moves, positions, nowMs);
  return signals.length;
}

function takeSignals(em: EntityManager, now: Date): Promise<Signal[]> {
  return rowsOf(
    em,
    sql<Signal>`
      UPDATE journey_signals AS signal SET consumed_at = ${now}
      FROM widget_step_executions AS widget
      WHERE widget.id = signal.step_execution_id AND signal.id IN (
        SELECT id FROM journey_signals WHERE consumed_at IS NULL
        ORDER BY occurred_at LIMIT ${SIGNALS_MAX} FOR UPDATE SKIP LOCKED)
      RETURNING signal.id, signal.enrolment_id, widget.node_id, outcome`,
  );
}

async function lockWaiting(em: EntityManager, enrolmentIds: readonly string[]): Promise<Waiting[]> {
  // A separate statement, so that the next one reads the state after waiting for the locks.
  await rowsOf(
    em,
    sql`SELECT FROM enrolments WHERE id = ANY(${enrolmentIds}) ORDER BY id FOR UPDATE`,
  );
  return rowsOf(
    em,
    sql<Waiting>`
      SELECT enrolments.id, enrolments.node_id, node.value AS node
      FROM enrolments
      JOIN journey_snapshots AS snapshot ON snapshot.id = snapshot_id
      JOIN journey_definitions AS definition ON definition.id = definition_id
      CROSS JOIN LATERAL jsonb_array_elements(nodes) AS node (value)
      WHERE enrolments.id = ANY(${enrolmentIds}) AND enrolments.state = 'WAITING'
        AND node.value ->> 'id' = enrolments.node_id`,
  );
}
