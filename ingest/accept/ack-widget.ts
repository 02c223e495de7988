// Acknowledges widgets queued by a journey. States: QUEUED, SERVED, VIEWED, then CLICKED or
// DISMISSED. A state only moves forward, an acknowledgement implies the states it skips, and the
// first end state is final. Reaching an end state resumes the journey: the journey signal and the
// exposure for caps are committed in the same statement as the acknowledgement.

import { v7 as uuidV7 } from 'uuid';
import { derivedUuid } from '../../schema/values/derived-uuid.ts';
import type { PostgresClient } from '../postgres/statement.ts';

export const WIDGET_ACTIONS = ['served', 'viewed', 'clicked', 'dismissed'] as const;
export type WidgetAction = (typeof WIDGET_ACTIONS)[number];

export type WidgetAck = {
  readonly workspaceId: string;
  readonly stepExecutionId: string;
  readonly action: WidgetAction;
  /** Empty if not sent. */
  readonly stepId: string;
  readonly variantId: string;
  readonly atMs: number;
};

export type AckedWidget = {
  readonly userId: string;
  readonly campaignId: string;
  /** The variant of the latest acknowledgement, or the queued variant; empty without variants. */
  readonly variantId: string;
  /**
   * The first end state of the widget, including this acknowledgement. Only the first one counts.
   */
  readonly end: 'clicked' | 'dismissed' | undefined;
};

/**
 * Returns the widget of each acknowledgement; undefined if the workspace has no widget with that
 * ID.
 */
export async function ackWidgets(
  client: PostgresClient,
  acks: readonly WidgetAck[],
): Promise<(AckedWidget | undefined)[]> {
  const results: (AckedWidget | undefined)[] = acks.map(() => undefined);
  for (const round of roundsOf(acks)) {
    const found = await ackDistinct(
      client,
      round.map(index => acks[index]!),
    );
    for (const index of round) results[index] = found.get(acks[index]!.stepExecutionId);
  }
  return results;
}

/** A statement can update a row only once. The order of a widget's acknowledgements is kept. */
function roundsOf(acks: readonly WidgetAck[]): number[][] {
  const rounds: number[][] = [];
  const seen = new Map<string, number>();
  for (const [index, { stepExecutionId }] of acks.entries()) {
    const round = seen.get(stepExecutionId) ?? 0;
    seen.set(stepExecutionId, round + 1);
    const earlier = rounds[round];
    if (earlier === undefined) rounds.push([index]);
    else earlier.push(index);
  }
  return rounds;
}

const IS_END = "ack.state IN ('CLICKED', 'DISMISSED')";
const IS_FIRST_END = `${IS_END} AND known.state NOT IN ('CLICKED', 'DISMISSED')`;

/**
 * All statements lock widgets in the same order, and every other row they write belongs to a locked
 * widget, so statements cannot deadlock. The widget is read after its lock is acquired, so of two
 * concurrent end states the second sees the first.
 */
const ACK_WIDGETS = `
  WITH ack AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[],
                         $6::timestamptz[], $7::uuid[], $8::uuid[], $9::uuid[])
      AS row (step_execution_id, workspace_id, state, step_id, variant_id, at, signal_id,
              impression_id, end_id)
  ), widget AS (
    SELECT known.id, known.workspace_id, known.user_id, known.enrolment_id, known.campaign_id,
           ack.state AS acked_state, ack.at, ack.signal_id, ack.impression_id, ack.end_id,
           coalesce(nullif(ack.step_id, ''), known.acked_step_id) AS acked_step_id,
           coalesce(nullif(ack.variant_id, ''), known.acked_variant_id) AS acked_variant_id,
           known.variant_id, ${IS_FIRST_END} AS is_first_end, ${IS_END} AS is_end,
           CASE WHEN known.state IN ('CLICKED', 'DISMISSED') THEN known.state
                WHEN ${IS_END} THEN ack.state END AS first_end,
           known.expires_at < ack.at IS TRUE AS is_expired
    FROM ack
    JOIN widget_step_executions AS known
      ON known.id = ack.step_execution_id AND known.workspace_id = ack.workspace_id
    ORDER BY known.id
    FOR UPDATE OF known
  ), moved AS (
    UPDATE widget_step_executions AS known SET
      state = CASE WHEN known.state IN ('CLICKED', 'DISMISSED') THEN known.state
                   WHEN widget.is_end THEN widget.acked_state
                   WHEN known.state = 'VIEWED' THEN known.state
                   ELSE widget.acked_state END,
      served_at = coalesce(known.served_at, widget.at),
      viewed_at = CASE WHEN widget.acked_state = 'SERVED' THEN known.viewed_at
                       ELSE coalesce(known.viewed_at, widget.at) END,
      clicked_at = CASE WHEN widget.is_first_end AND widget.acked_state = 'CLICKED'
                        THEN widget.at ELSE known.clicked_at END,
      dismissed_at = CASE WHEN widget.is_first_end AND widget.acked_state = 'DISMISSED'
                          THEN widget.at ELSE known.dismissed_at END,
      acked_step_id = widget.acked_step_id,
      acked_variant_id = widget.acked_variant_id
    FROM widget
    WHERE known.id = widget.id
  ), signal AS (
    INSERT INTO journey_signals (id, workspace_id, step_execution_id, enrolment_id, outcome,
                                 variant_id, occurred_at)
    SELECT signal_id, workspace_id, id, enrolment_id, acked_state,
           coalesce(acked_variant_id, variant_id), at
    FROM widget
    WHERE is_first_end AND NOT is_expired
    ON CONFLICT (step_execution_id) DO NOTHING
  ), exposure AS (
    INSERT INTO exposures (id, workspace_id, user_id, campaign_id, event_type, occurred_at)
    SELECT impression_id, workspace_id, user_id, campaign_id::text, 'impression', at
    FROM widget WHERE acked_state <> 'SERVED'
    UNION ALL
    SELECT end_id, workspace_id, user_id, campaign_id::text, lower(acked_state), at
    FROM widget WHERE acked_state = first_end
    ON CONFLICT DO NOTHING
  )
  SELECT id, user_id, campaign_id, coalesce(acked_variant_id, variant_id, '') AS variant_id,
         lower(first_end) AS first_end
  FROM widget`;

type AckedRow = {
  id: string;
  user_id: string;
  campaign_id: string;
  variant_id: string;
  first_end: 'clicked' | 'dismissed' | null;
};

/** Keyed by step execution ID. Precondition: each ID appears once in `acks`. */
async function ackDistinct(
  client: PostgresClient,
  acks: readonly WidgetAck[],
): Promise<Map<string, AckedWidget>> {
  const column = (value: (ack: WidgetAck) => string) => acks.map(value);
  const { rows } = await client.query<AckedRow>({
    text: ACK_WIDGETS,
    values: [
      column(ack => ack.stepExecutionId),
      column(ack => ack.workspaceId),
      column(ack => ack.action.toUpperCase()),
      column(ack => ack.stepId),
      column(ack => ack.variantId),
      column(ack => new Date(ack.atMs).toISOString()),
      column(() => uuidV7()),
      column(ack => derivedUuid(ack.stepExecutionId, 'impression')),
      column(ack => derivedUuid(ack.stepExecutionId, ack.action)),
    ],
  });
  return new Map(
    rows.map(row => [
      row.id,
      {
        userId: row.user_id,
        campaignId: row.campaign_id,
        variantId: row.variant_id,
        end: row.first_end ?? undefined,
      },
    ]),
  );
}
