import type { EntityManager } from '@mikro-orm/postgresql';
import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import { rowsOf, sql } from '../../platform/database/kysely.ts';
import type { Position } from '../walk.ts';
import type { Widget } from './advance-journey.ts';
import type { DuePerson } from './load-due.ts';

/** Stores the positions, which are in the order of `people`. */
export async function writePositions(
  em: EntityManager,
  people: readonly Pick<DuePerson, 'id'>[],
  positions: readonly Position[],
  nowMs: number,
): Promise<void> {
  const nextAts = positions.map(({ nextAtMs }) => (nextAtMs === null ? null : new Date(nextAtMs)));
  await rowsOf(
    em,
    sql`
      UPDATE enrolments SET node_id = moved.node_id, state = moved.state, next_at = moved.next_at,
        ended_at = CASE WHEN moved.state = 'COMPLETED' THEN ${new Date(nowMs)}::timestamptz END
      FROM unnest(
        ${people.map(({ id }) => id)}::uuid[],
        ${positions.map(({ nodeId }) => nodeId)}::text[],
        ${positions.map(({ state }) => state)}::text[],
        ${nextAts}::timestamptz[]
      ) AS moved (id, node_id, state, next_at)
      WHERE enrolments.id = moved.id`,
  );
}

const COLUMNS = sql`id, workspace_id, user_id, enrolment_id, node_id, campaign_id, name, type, surfaces,
  content, priority, consent_purpose, is_cap_exempt, expires_at, state, queued_at`;

/** Queues the widgets, which ingest serves. ingest reports the end of a widget by a signal. */
export async function writeWidgets(
  em: EntityManager,
  widgets: readonly Widget[],
  nowMs: number,
): Promise<void> {
  if (widgets.length === 0) return;
  const rows = widgets.map(({ person, node, untilMs }) => ({
    id: derivedUuid('journey widget', person.id, node.id),
    workspace_id: person.workspaceId,
    user_id: person.userId,
    enrolment_id: person.id,
    node_id: node.id,
    // Identical for all enrolments at the node, because frequency caps count by campaign.
    campaign_id: derivedUuid('journey campaign', person.journeyId, node.id),
    name: node.name,
    type: node.type,
    surfaces: node.surfaces,
    content: node.content,
    priority: node.priority,
    consent_purpose: node.consentPurpose,
    is_cap_exempt: node.isCapExempt,
    expires_at: new Date(untilMs).toISOString(),
    state: 'QUEUED',
    queued_at: new Date(nowMs).toISOString(),
  }));
  await rowsOf(
    em,
    sql`
      INSERT INTO widget_step_executions (${COLUMNS})
      SELECT ${COLUMNS}
      FROM jsonb_populate_recordset(NULL::widget_step_executions, ${JSON.stringify(rows)}::jsonb)
      ON CONFLICT DO NOTHING`,
  );
}
