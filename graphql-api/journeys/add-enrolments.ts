import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import type { Journey } from './journey.entity.ts';
import type { Snapshot } from './snapshot.take.ts';

type Entering = {
  readonly journey: Pick<Journey, 'id' | 'workspaceId'>;
  readonly snapshot: Snapshot;
  readonly userIds: readonly string[];
};

/** A contact among those who enter, and the new enrolment; null if the contact was enrolled before. */
type Entered = { readonly userId: string; readonly enrolmentId: string | null };

/** Adds enrolments pinned to a snapshot, whose locks the transaction holds. */
export function addEnrolments(
  { em, deps }: { readonly em: EntityManager; readonly deps: Pick<AppDeps, 'clock' | 'newId'> },
  { journey: { id, workspaceId }, snapshot, userIds }: Entering,
): Promise<Entered[]> {
  // The time is read under the locks, so that a rollout forced later applies to these enrolments
  // too.
  const now = new Date(deps.clock.nowMs());
  const newIds = userIds.map(() => deps.newId());
  // Ordered, so that two calls with the same contacts cannot deadlock.
  return rowsOf(
    em,
    sql<Entered>`
      WITH person AS (
        SELECT contacts.id AS contact_id, contacts.user_id, asked.id
        FROM unnest(${userIds}::text[], ${newIds}::uuid[]) AS asked (user_id, id)
        JOIN contacts ON contacts.user_id = asked.user_id AND contacts.workspace_id = ${workspaceId}
      ), added AS (
        INSERT INTO enrolments (id, workspace_id, journey_id, snapshot_id, contact_id, node_id, next_at, created_at)
        SELECT id, ${workspaceId}::uuid, ${id}::uuid, ${snapshot.id}::uuid, contact_id,
               ${snapshot.firstNodeId}, ${now}::timestamptz, ${now}::timestamptz FROM person ORDER BY contact_id
        ON CONFLICT (journey_id, contact_id) WHERE ended_at IS NULL DO NOTHING
        RETURNING id, contact_id
      )
      SELECT person.user_id, added.id AS enrolment_id FROM person LEFT JOIN added USING (contact_id)`,
  );
}
