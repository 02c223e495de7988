import type { Context } from '../platform/context.ts';
import { workspaceReads } from '../platform/database/entity-reads.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { workspaceOf } from '../platform/permit.ts';
import { Journey } from './journey.entity.ts';
import type { JourneyNode } from './nodes.ts';

export const journeys = workspaceReads(Journey);

type JourneyStanding = {
  readonly id: string;
  /** The nodes of the definition for contacts who enter now. */
  readonly nodes: readonly JourneyNode[];
  /** The number of enrolments in flight. */
  readonly inFlight: number;
};

export async function standingOfJourneys(
  context: Context,
  ids: readonly string[],
): Promise<readonly JourneyStanding[]> {
  const em = await context.read();
  return rowsOf(
    em,
    sql<JourneyStanding>`
      SELECT journeys.id, nodes, coalesce((
        SELECT sum(in_flight) FROM enrolment_counts
        JOIN journey_snapshots ON journey_snapshots.id = snapshot_id
        WHERE journey_snapshots.journey_id = journeys.id), 0)::integer AS in_flight
      FROM journeys
      JOIN journey_definitions AS definition
        ON definition.journey_id = journeys.id AND definition.number = definition_number
      WHERE journeys.id = ANY(${ids}) AND journeys.workspace_id = ${workspaceOf(context.viewer)}`,
  );
}
