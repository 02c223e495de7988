import type { EntityManager } from '@mikro-orm/postgresql';
import { rowsOf, sql } from '../../platform/database/kysely.ts';

/** A due enrolment with its contact, locked until the transaction ends. */
export type DuePerson = {
  readonly id: string;
  readonly journeyId: string;
  readonly workspaceId: string;
  readonly snapshotId: string;
  readonly definitionId: string;
  readonly contactId: string;
  readonly userId: string;
  /** Whether the contact is suppressed, by their own request or by law. */
  readonly isSuppressed: boolean;
  readonly state: 'READY' | 'WAITING';
  readonly nodeId: string;
  /** When the contact entered and the versions were pinned. */
  readonly createdAt: Date;
};

/**
 * Returns none if the journey is not active. A pause that waited for this transaction holds after
 * it.
 */
export async function loadDue(
  em: EntityManager,
  journeyId: string,
  now: Date,
  peopleMax: number,
): Promise<DuePerson[]> {
  const active = await rowsOf(
    em,
    sql`SELECT FROM journeys WHERE id = ${journeyId} AND status = 'ACTIVE' FOR SHARE`,
  );
  if (active.length === 0) return [];
  // Skips enrolments that another process holds.
  return rowsOf(
    em,
    sql<DuePerson>`
      WITH enrolment AS (
        SELECT * FROM enrolments WHERE journey_id = ${journeyId} AND next_at <= ${now}
        ORDER BY next_at LIMIT ${peopleMax} FOR UPDATE SKIP LOCKED
      )
      SELECT ${DUE_PERSON} FROM enrolment ${WITH_CONTACT} ORDER BY next_at, enrolment.id`,
  );
}

/** The columns of a DuePerson, of a table `enrolment`. */
export const DUE_PERSON = sql`
  enrolment.id, enrolment.journey_id, enrolment.workspace_id, snapshot_id, definition_id, contact_id,
  user_id, suppressed_at IS NOT NULL AS is_suppressed, enrolment.state, node_id,
  enrolment.created_at`;

export const WITH_CONTACT = sql`
  JOIN journey_snapshots ON journey_snapshots.id = snapshot_id
  JOIN contacts ON contacts.id = contact_id`;

/** Returns the active journeys with due enrolments. */
export async function dueJourneys(em: EntityManager, now: Date): Promise<string[]> {
  const journeys = await rowsOf(
    em,
    sql<{ id: string }>`
      SELECT id FROM journeys WHERE status = 'ACTIVE' AND EXISTS (
        SELECT FROM enrolments WHERE journey_id = journeys.id AND next_at <= ${now})`,
  );
  return journeys.map(({ id }) => id);
}
