// Advances the enrolments that wait at a widget. The acknowledgement that ends a widget wrote a
// signal, and each signal is consumed once.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../../platform/context.ts';
import { numberedSql } from '../../platform/database/numbered-sql.ts';
import type { JourneyNode } from '../nodes.ts';
import { nextOf, type Position } from '../walk.ts';
import { writePositions } from './write-positions.ts';

/** Keeps transactions short and locks few. */
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
  const { executeSql } = numberedSql(em);
  const now = new Date(nowMs);
  const taken = await executeSql(TAKE, [now, SIGNALS_MAX]);
  const signals = taken.rows as Signal[];
  const enrolmentIds = signals.flatMap(({ enrolmentId }) => enrolmentId ?? []);
  if (enrolmentIds.length === 0) return signals.length;
  await executeSql(LOCK, [enrolmentIds]);
  const { rows } = await executeSql(WAITING, [enrolmentIds]);
  const waiting = (rows as Waiting[]).flatMap(person => {
    const signal = signals.find(
      ({ enrolmentId, nodeId }) => enrolmentId === person.id && nodeId === person.nodeId,
    );
    return signal === undefined ? [] : [{ person, outcome: signal.outcome }];
  });
  const positions = waiting.map(
    ({ person, outcome }): Position => ({
      nodeId: nextOf(person.node, outcome),
      state: 'READY',
      nextAtMs: nowMs,
    }),
  );
  await writePositions(
    em,
    waiting.map(({ person }) => person),
    positions,
    nowMs,
  );
  return signals.length;
}

const TAKE = `
  UPDATE journey_signals AS signal SET consumed_at = $1
  FROM widget_step_executions AS widget
  WHERE widget.id = signal.step_execution_id AND signal.id IN (
    SELECT id FROM journey_signals WHERE consumed_at IS NULL
    ORDER BY occurred_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING signal.id, signal.enrolment_id AS "enrolmentId", widget.node_id AS "nodeId", outcome`;

/** A separate statement, so that the next one reads the state after waiting for the locks. */
const LOCK = 'SELECT FROM enrolments WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE';

const WAITING = `
  SELECT enrolments.id, enrolments.node_id AS "nodeId", node.value AS node
  FROM enrolments
  JOIN journey_snapshots AS snapshot ON snapshot.id = snapshot_id
  JOIN journey_definitions AS definition ON definition.id = definition_id
  CROSS JOIN LATERAL jsonb_array_elements(nodes) AS node (value)
  WHERE enrolments.id = ANY ($1::uuid[]) AND enrolments.state = 'WAITING'
    AND node.value ->> 'id' = enrolments.node_id`;
