import type { EntityManager } from '@mikro-orm/postgresql';
import { numberedSql } from '../../platform/database/numbered-sql.ts';

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
  readonly createdAtMs: number;
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
  const { executeSql } = numberedSql(em);
  const active = await executeSql(
    `SELECT FROM journeys WHERE id = $1 AND status = 'ACTIVE' FOR SHARE`,
    [journeyId],
  );
  if (active.rows.length === 0) return [];
  const { rows } = await executeSql(DUE, [journeyId, now, peopleMax]);
  return rows as DuePerson[];
}

/** Returns the active journeys with due enrolments. */
export async function dueJourneys(em: EntityManager, now: Date): Promise<string[]> {
  const { rows } = await numberedSql(em).executeSql(
    `SELECT id FROM journeys WHERE status = 'ACTIVE' AND EXISTS (
       SELECT FROM enrolments WHERE journey_id = journeys.id AND next_at <= $1)`,
    [now],
  );
  return (rows as { id: string }[]).map(({ id }) => id);
}

/** Skips enrolments that another process holds. */
const DUE = `
  WITH due AS (
    SELECT * FROM enrolments WHERE journey_id = $1 AND next_at <= $2
    ORDER BY next_at LIMIT $3 FOR UPDATE SKIP LOCKED
  )
  SELECT due.id, due.journey_id AS "journeyId", due.workspace_id AS "workspaceId",
         due.snapshot_id AS "snapshotId", definition_id AS "definitionId",
         contact_id AS "contactId", user_id AS "userId",
         suppressed_at IS NOT NULL AS "isSuppressed", due.state, due.node_id AS "nodeId",
         (extract(epoch FROM due.created_at) * 1000)::float8 AS "createdAtMs"
  FROM due
  JOIN journey_snapshots AS snapshot ON snapshot.id = due.snapshot_id
  JOIN contacts ON contacts.id = due.contact_id
  ORDER BY due.next_at, due.id`;
