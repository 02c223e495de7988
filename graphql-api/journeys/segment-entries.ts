import { rowsOf, sql } from '../platform/database/kysely.ts';
import type { MembersFollower } from '../segments/deps.ts';

/**
 * Queues the new members of a segment for the active journeys that they enter. The first evaluation
 * after `entry_since` queues nobody, because it also finds people who were members before.
 */
export const segmentEntries: MembersFollower = {
  async membersEntered(em, { segmentId, userIds, at, since }) {
    await rowsOf(
      em,
      sql`
        INSERT INTO journey_entries (journey_id, workspace_id, user_id, created_at)
        SELECT journeys.id, workspace_id, entered.user_id, ${at}
        FROM journeys, unnest(${userIds}::text[]) AS entered (user_id)
        WHERE entry_segment_id = ${segmentId} AND status = 'ACTIVE' AND entry_since <= ${since}
        ON CONFLICT DO NOTHING`,
    );
  },
};
