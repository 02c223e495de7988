import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { workspaceOf } from '../platform/permit.ts';
import { Journey, type JourneyStatus } from './journey.entity.ts';
import type { JourneyNode } from './nodes.ts';

export type JourneyFilter = { readonly status?: JourneyStatus | null | undefined };

export async function journeysPage(
  context: Context,
  page: PageRequest,
  { status }: JourneyFilter = {},
): Promise<Page<Journey>> {
  const workspaceId = workspaceOf(context.viewer);
  const where: FilterQuery<Journey> = { workspaceId, ...(status && { status }) };
  return readPage(await context.read(), Journey, where, page);
}

export async function journeysByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly Journey[]> {
  const em = await context.read();
  return em.find(Journey, { id: { $in: [...ids] }, workspaceId: workspaceOf(context.viewer) });
}

export type JourneyStanding = {
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
