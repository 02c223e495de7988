// Enrols the new members of segments in the journeys that they enter. An entry is deleted in the
// transaction of its enrolment, so each takes effect once.

import type { AppDeps } from '../../platform/context.ts';
import { rowsOf, sql } from '../../platform/database/kysely.ts';
import { addEnrolments } from '../add-enrolments.ts';
import type { Journey } from '../journey.entity.ts';
import { takeSnapshot } from '../snapshot.take.ts';

/** Keeps transactions short and the number of locks small. */
export const ENTRIES_MAX = 1_000;

/** The journeys with queued entries. */
export async function enteredJourneys({ database }: Pick<AppDeps, 'database'>): Promise<string[]> {
  const journeys = await database.asSystem(em =>
    rowsOf(
      em,
      sql<{ id: string }>`
        SELECT id FROM journeys WHERE entry_segment_id IS NOT NULL
          AND EXISTS (SELECT FROM journey_entries WHERE journey_id = journeys.id)`,
    ),
  );
  return journeys.map(({ id }) => id);
}

/**
 * Returns the number of entries. Entries of a journey that is no longer active have no effect, nor have
 * those of people without a contact or who are in the journey.
 */
export function consumeEntries(
  deps: Pick<AppDeps, 'clock' | 'database' | 'newId'>,
  journeyId: string,
): Promise<number> {
  return deps.database.asSystem(async em => {
    // A pause that waited for this transaction holds after it.
    const [journey] = await rowsOf(
      em,
      sql<Entered>`
        SELECT id, workspace_id, definition_number, status FROM journeys
        WHERE id = ${journeyId} FOR SHARE`,
    );
    if (journey === undefined) return 0;
    const entries = await rowsOf(
      em,
      sql<{ userId: string }>`
        DELETE FROM journey_entries WHERE journey_id = ${journeyId} AND user_id IN (
          SELECT user_id FROM journey_entries WHERE journey_id = ${journeyId}
          ORDER BY created_at, user_id LIMIT ${ENTRIES_MAX} FOR UPDATE SKIP LOCKED)
        RETURNING user_id`,
    );
    if (entries.length === 0 || journey.status !== 'ACTIVE') return entries.length;
    const snapshot = await takeSnapshot({ em, deps: deps as AppDeps }, journey);
    const userIds = entries.map(({ userId }) => userId);
    await addEnrolments({ em, deps }, { journey, snapshot, userIds });
    return entries.length;
  });
}

type Entered = Pick<Journey, 'id' | 'workspaceId' | 'definitionNumber' | 'status'>;
