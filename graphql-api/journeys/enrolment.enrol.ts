import { LockMode } from '@mikro-orm/postgresql';
import { numberedSql } from '../platform/database/numbered-sql.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { JourneyEnrol } from './journey.contract.ts';
import { Journey } from './journey.entity.ts';
import { takeSnapshot } from './snapshot.take.ts';

export type Enrolled = {
  /** Of those who entered now. */
  readonly enrolmentIds: readonly string[];
  /** They are in the journey, and go on where they are. */
  readonly alreadyInside: readonly string[];
  /** No contact has such a user id. */
  readonly unknownUserIds: readonly string[];
};

/** Lets people into a journey, each pinned to the versions that are Active at this moment. */
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
    return reject('NOT_FOUND', { field: ['id'], message: 'There is no such journey.' });
  if (journey.status !== 'ACTIVE') reject('JOURNEY_STATUS', { field: ['id'] });
  const people = [...new Set(userIds)];
  const snapshot = await takeSnapshot(scope, journey);
  // The time is read under the locks: what is forced later than this is forced on them too.
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

/** In one order, so that two calls with the same people never wait for each other. */
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
