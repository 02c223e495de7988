// Determines the versions that a new enrolment is pinned to. The template rows are locked, so that
// their versions change state, and the templates are archived, only before or after.

import { derivedUuid } from '../../schema/values/derived-uuid.ts';
import { numberedSql } from '../platform/database/numbered-sql.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { Journey } from './journey.entity.ts';
import { currentNodes } from './journey.lock.ts';
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
  const { executeSql } = numberedSql(em);
  const added = await executeSql(
    `INSERT INTO journey_snapshots (id, journey_id, workspace_id, definition_id, hash, created_at)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING id`,
    [id, journey.id, journey.workspaceId, definitionId, hash, new Date(deps.clock.nowMs())],
  );
  if (added.rows.length > 0)
    await executeSql(
      `INSERT INTO journey_snapshot_pins (snapshot_id, node_id, workspace_id, version_id)
       SELECT $1, pin.node_id, $2, pin.version_id
       FROM unnest($3::text[], $4::uuid[]) AS pin (node_id, version_id)`,
      [
        id,
        journey.workspaceId,
        pins.map(({ nodeId }) => nodeId),
        pins.map(({ versionId }) => versionId),
      ],
    );
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
  const { executeSql } = numberedSql(em);
  const templateIds = sends.map(({ templateId }) => templateId);
  // Ordered, so that two transactions that lock several templates cannot deadlock.
  await executeSql(
    `SELECT FROM templates WHERE id = ANY ($1::uuid[]) AND workspace_id = $2 ORDER BY id FOR SHARE`,
    [templateIds, workspaceId],
  );
  // A separate statement: the one that waited for the lock would still see the state before the
  // wait.
  const { rows } = await executeSql(
    `SELECT id, template_id AS "templateId", channel, language, state FROM template_versions
     WHERE template_id = ANY ($1::uuid[]) AND workspace_id = $2
       AND (state = 'Active' OR id = ANY ($3::uuid[]))`,
    [templateIds, workspaceId, sends.flatMap(({ versionId }) => versionId ?? [])],
  );
  return pinsOf(nodes, rows as PinnableVersion[]);
}
