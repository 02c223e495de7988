// Loads everything that decides the versions of a batch of enrolments, in a few statements.

import type { EntityManager } from '@mikro-orm/postgresql';
import { rowsOf, sql } from '../../platform/database/kysely.ts';
import type { SendableVersion } from '../../templates/resolve-version.ts';
import { SENDABLE_STATES } from '../../templates/transitions.ts';
import type { TemplateVariable } from '../../templates/variables.ts';
import type { OverrideKind } from '../enrolment-override.entity.ts';
import type { JourneyNode, SendNode } from '../nodes.ts';
import { sendNodesOf } from '../snapshot.ts';
import type { DuePerson } from './load-due.ts';

export type CandidateVersion = SendableVersion & {
  readonly templateId: string;
  readonly channel: string;
  readonly language: string;
  readonly variables: readonly TemplateVariable[];
};

type Override = {
  readonly versionId: string;
  readonly kind: OverrideKind;
  readonly createdAt: Date;
};

type PinRelease = {
  readonly versionId: string;
  readonly journeyId: string | null;
  readonly toVersionId: string | null;
  readonly releasedAt: Date;
};

export type Pins = {
  /** By definition. */
  readonly nodes: ReadonlyMap<string, ReadonlyMap<string, JourneyNode>>;
  /** By snapshot and node. */
  readonly pinnedIds: ReadonlyMap<string, string>;
  /** By enrolment and node. */
  readonly overrides: ReadonlyMap<string, Override>;
  /** By template, channel and language. */
  readonly versions: ReadonlyMap<string, readonly CandidateVersion[]>;
  /** By the released version. */
  readonly releases: ReadonlyMap<string, readonly PinRelease[]>;
};

export async function loadPins(em: EntityManager, people: readonly DuePerson[]): Promise<Pins> {
  const distinct = (ids: readonly string[]) => [...new Set(ids)];
  const definitionIds = distinct(people.map(({ definitionId }) => definitionId));
  const definitions = await rowsOf(
    em,
    sql<{ id: string; nodes: JourneyNode[] }>`
      SELECT id, nodes FROM journey_definitions WHERE id = ANY(${definitionIds})`,
  );
  const snapshotIds = distinct(people.map(({ snapshotId }) => snapshotId));
  const pins = await rowsOf(
    em,
    sql<NodeVersion>`
      SELECT snapshot_id AS of_id, node_id, version_id FROM journey_snapshot_pins
      WHERE snapshot_id = ANY(${snapshotIds})`,
  );
  const overrides = await rowsOf(
    em,
    sql<NodeVersion & Override>`
      SELECT enrolment_id AS of_id, node_id, version_id, kind, created_at FROM enrolment_overrides
      WHERE enrolment_id = ANY(${people.map(({ id }) => id)})`,
  );
  const named = distinct([...pins, ...overrides].map(({ versionId }) => versionId));
  // Read before the versions, so that a concurrent rollout is seen completely or not at all.
  const releases = await rowsOf(
    em,
    sql<PinRelease>`
      SELECT version_id, journey_id, to_version_id, released_at FROM pin_releases
      WHERE version_id = ANY(${named})`,
  );
  const sends = definitions.flatMap(({ nodes }) => sendNodesOf(nodes));
  const templateIds = distinct(sends.map(({ templateId }) => templateId));
  const versions = await rowsOf(
    em,
    sql<CandidateVersion>`
      SELECT id, template_id, channel, language, number, state, upstream_health, health_until,
             activated_at, variables
      FROM template_versions
      WHERE template_id = ANY(${templateIds})
        AND (state = ANY(${SENDABLE_STATES}) OR id = ANY(${named}))`,
  );
  return {
    nodes: new Map(definitions.map(({ id, nodes }) => [id, byId(nodes)])),
    pinnedIds: new Map(pins.map(pin => [placeOf(pin.ofId, pin.nodeId), pin.versionId])),
    overrides: new Map(overrides.map(row => [placeOf(row.ofId, row.nodeId), row])),
    versions: Map.groupBy(versions, treeOf),
    releases: Map.groupBy(releases, ({ versionId }) => versionId),
  };
}

type NodeVersion = { readonly ofId: string; readonly nodeId: string; readonly versionId: string };

/** The key of a node of a snapshot or an enrolment. */
export function placeOf(id: string, nodeId: string): string {
  return `${id} ${nodeId}`;
}

/**
 * The key of a version tree: versions of a template, channel and language are approved together.
 */
export function treeOf({
  templateId,
  channel,
  language,
}: Pick<SendNode, 'templateId' | 'language'> & { readonly channel: string }): string {
  return `${templateId} ${channel} ${language}`;
}

function byId(nodes: readonly JourneyNode[]): Map<string, JourneyNode> {
  return new Map(nodes.map(node => [node.id, node]));
}
