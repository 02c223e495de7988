// Determines the versions that a new enrolment is pinned to. The template rows are locked, so that
// their versions change state, and the templates are archived, only before or after the snapshot is taken.

import { derivedUuid } from '../../schema/values/derived-uuid.ts';
import { kysely, rowsOf, sql } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { JourneyDefinition } from './definition.entity.ts';
import type { Journey } from './journey.entity.ts';
import type { JourneyNode } from './nodes.ts';
import { type Pin, type PinnableVersion, pinsOf, sendNodesOf, snapshotHash } from './snapshot.ts';

export type Snapshot = {
  readonly id: string;
  /** The entry node. */
  readonly firstNodeId: string;
};

/** Returns the journey's current snapshot. Equal snapshots share one row. */
export async function takeSnapshot(
  scope: Pick<ActionScope, 'em' | 'deps'>,
  journey: Pick<Journey, 'id' | 'workspaceId' | 'definitionNumber'>,
): Promise<Snapshot> {
  const { em, deps } = scope;
  const { definitionId, nodes } = await currentNodes(scope, journey);
  const pins = await pinsForEntry(scope, journey.workspaceId, nodes);
  requireAllPinned(nodes, pins);
  const hash = snapshotHash(definitionId, pins);
  const id = derivedUuid('journey snapshot', hash);
  const { id: journeyId, workspaceId } = journey;
  const createdAt = new Date(deps.clock.nowMs());
  const added = await kysely(em)
    .insertInto('journey_snapshots')
    .values({ id, journeyId, workspaceId, definitionId, hash, createdAt })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .execute();
  if (added.length > 0 && pins.length > 0)
    await kysely(em)
      .insertInto('journey_snapshot_pins')
      .values(pins.map(pin => ({ ...pin, snapshotId: id, workspaceId })))
      .execute();
  return { id, firstNodeId: nodes[0]!.id };
}

/** A template may have been archived while no enrolment was pinned to it. */
export function requireAllPinned(nodes: readonly JourneyNode[], pins: readonly Pin[]): void {
  const bare = sendNodesOf(nodes).find(node => pins.every(({ nodeId }) => nodeId !== node.id));
  if (bare !== undefined) reject('JOURNEY_INCOMPLETE', { facts: { node: bare.id } });
}

/** Locks the templates and reads their versions under the lock. */
export async function pinsForEntry(
  { em }: Pick<ActionScope, 'em'>,
  workspaceId: string,
  nodes: readonly JourneyNode[],
): Promise<Pin[]> {
  const sends = sendNodesOf(nodes);
  if (sends.length === 0) return [];
  const templateIds = sends.map(({ templateId }) => templateId);
  // Ordered, so that two transactions that lock several templates cannot deadlock.
  await rowsOf(
    em,
    sql`SELECT FROM templates WHERE id = ANY(${templateIds}) AND workspace_id = ${workspaceId}
        ORDER BY id FOR SHARE`,
  );
  // A separate statement, because the statement that waited for the lock still sees the state
  // before the wait.
  const named = sends.flatMap(({ versionId }) => versionId ?? []);
  const versions = await rowsOf(
    em,
    sql<PinnableVersion>`
      SELECT id, template_id, channel, language, state FROM template_versions
      WHERE template_id = ANY(${templateIds}) AND workspace_id = ${workspaceId}
        AND (state = 'Active' OR id = ANY(${named}))`,
  );
  return pinsOf(nodes, versions);
}

/** Returns the nodes for contacts who enter now. */
export async function currentNodes(
  { em }: Pick<ActionScope, 'em'>,
  journey: Pick<Journey, 'id' | 'definitionNumber'>,
): Promise<{ readonly definitionId: string; readonly nodes: readonly JourneyNode[] }> {
  const where = { journeyId: journey.id, number: journey.definitionNumber };
  const definition = await em.findOneOrFail(JourneyDefinition, where);
  return { definitionId: definition.id, nodes: definition.nodes as JourneyNode[] };
}
