import { LockMode } from '@mikro-orm/postgresql';
import { numberedSql } from '../platform/database/numbered-sql.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { JourneyEnrol } from './journey.contract.ts';
import { Journey } from './journey.entity.ts';
import { takeSnapshot } from './snapshot.take.ts';

export type Enrolled = {
  /** The IDs of the new enrolments. */
  readonly enrolmentIds: readonly string[];
  /** The user IDs of contacts that were already enrolled, whose enrolments are unchanged. */
  readonly alreadyInside: readonly string[];
  /** The user IDs that match no contact. */
  readonly unknownUserIds: readonly string[];
};

/** Enrols contacts in a journey, pinned to the versions that are Active now. */
export async function journeyEnrol(
  scope: ActionScope,
  { id, userIds }: JourneyEnrol,
): Promise<Enrolled> {
  const { em, viewer, deps, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  const journey = await em.findOne(
    Journey,
    { id, workspaceId },
    { lockMode: LockMode.PESSIMISTIC_READ },
  );
  if (journey === null)
    return reject('NOT_FOUND', { field: ['id'], message: 'No journey exists with this ID.' });
  if (journey.status !== 'ACTIVE') reject('JOURNEY_STATUS', { field: ['id'] });
  const people = [...new Set(userIds)];
  const snapshot = await takeSnapshot(scope, journey);
  // The time is read under the locks, so that a rollout forced later applies to these enrolments
  // too.
  const { rows } = await numberedSql(em).executeSql(ENROL, [
    workspaceId,
    id,
    snapshot.id,
    snapshot.firstNodeId,
    new Date(deps.clock.nowMs()),
    people,
    people.map(() => deps.newId()),
  ]);
  const found = rows as { user_id: string; enrolment_id: string | null }[];
  const known = new Set(found.map(row => row.user_id));
  const enrolmentIds = found.flatMap(row => row.enrolment_id ?? []);
  if (enrolmentIds.length > 0)
    await audit({
      action: 'journey.enrol',
      subjectType: 'journey',
      subjectId: id,
      after: { people: enrolmentIds.length, snapshotId: snapshot.id },
    });
  return {
    enrolmentIds,
    alreadyInside: found.filter(row => row.enrolment_id === null).map(row => row.user_id),
    unknownUserIds: people.filter(userId => !known.has(userId)),
  };
}

/** Ordered, so that two calls with the same contacts cannot deadlock. */
const ENROL = `
  WITH person AS (
    SELECT contacts.id AS contact_id, contacts.user_id, asked.id
    FROM unnest($6::text[], $7::uuid[]) AS asked (user_id, id)
    JOIN contacts ON contacts.user_id = asked.user_id AND contacts.workspace_id = $1
  ), added AS (
    INSERT INTO enrolments (id, workspace_id, journey_id, snapshot_id, contact_id, node_id, next_at, created_at)
    SELECT id, $1::uuid, $2::uuid, $3::uuid, contact_id, $4, $5::timestamptz, $5 FROM person ORDER BY contact_id
    ON CONFLICT (journey_id, contact_id) WHERE ended_at IS NULL DO NOTHING
    RETURNING id, contact_id
  )
  SELECT person.user_id, added.id AS enrolment_id FROM person LEFT JOIN added USING (contact_id)`;
