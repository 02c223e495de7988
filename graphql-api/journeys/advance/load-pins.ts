// Loads everything that decides the versions of a batch of enrolments, in a few statements.

import type { EntityManager } from '@mikro-orm/postgresql';
import { numberedSql } from '../../platform/database/numbered-sql.ts';
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

export type Override = {
  readonly versionId: string;
  readonly kind: OverrideKind;
  readonly createdAtMs: number;
};

export type PinRelease = {
  readonly versionId: string;
  readonly journeyId: string | null;
  readonly toVersionId: string | null;
  readonly releasedAtMs: number;
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
  const { executeSql } = numberedSql(em);
  const select = async <T>(text: string, values: unknown[]) =>
    (await executeSql(text, values)).rows as T[];
  const distinct = (ids: readonly string[]) => [...new Set(ids)];
  const definitions = await select<{ id: string; nodes: JourneyNode[] }>(
    'SELECT id, nodes FROM journey_definitions WHERE id = ANY ($1::uuid[])',
    [distinct(people.map(({ definitionId }) => definitionId))],
  );
  const pins = await select<NodeVersion>(
    `SELECT snapshot_id AS "ofId", node_id AS "nodeId", version_id AS "versionId"
     FROM journey_snapshot_pins WHERE snapshot_id = ANY ($1::uuid[])`,
    [distinct(people.map(({ snapshotId }) => snapshotId))],
  );
  const overrides = await select<NodeVersion & Override>(
    `SELECT enrolment_id AS "ofId", node_id AS "nodeId", version_id AS "versionId", kind,
            (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs"
     FROM enrolment_overrides WHERE enrolment_id = ANY ($1::uuid[])`,
    [people.map(({ id }) => id)],
  );
  const named = distinct([...pins, ...overrides].map(({ versionId }) => versionId));
  // Read before the versions, so that a concurrent rollout is seen completely or not at all.
  const releases = await select<PinRelease>(
    `SELECT version_id AS "versionId", journey_id AS "journeyId", to_version_id AS "toVersionId",
            (extract(epoch FROM released_at) * 1000)::float8 AS "releasedAtMs"
     FROM pin_releases WHERE version_id = ANY ($1::uuid[])`,
    [named],
  );
  const sends = definitions.flatMap(({ nodes }) => sendNodesOf(nodes));
  const versions = await select<VersionRow>(VERSIONS, [
    distinct(sends.map(({ templateId }) => templateId)),
    SENDABLE_STATES,
    named,
  ]);
  return {
    nodes: new Map(definitions.map(({ id, nodes }) => [id, byId(nodes)])),
    pinnedIds: new Map(pins.map(pin => [placeOf(pin.ofId, pin.nodeId), pin.versionId])),
    overrides: new Map(overrides.map(row => [placeOf(row.ofId, row.nodeId), row])),
    versions: Map.groupBy(versions.map(candidateOf), treeOf),
    releases: Map.groupBy(releases, ({ versionId }) => versionId),
  };
}

type VersionRow = Omit<CandidateVersion, 'healthUntil' | 'activatedAt'> & {
  readonly healthUntilMs: number | null;
  readonly activatedAtMs: number | null;
};

function candidateOf({ healthUntilMs, activatedAtMs, ...version }: VersionRow): CandidateVersion {
  const instant = (ms: number | null) => (ms === null ? null : new Date(ms));
  return { ...version, healthUntil: instant(healthUntilMs), activatedAt: instant(activatedAtMs) };
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

const VERSIONS = `
  SELECT id, template_id AS "templateId", channel, language, number, state,
         upstream_health AS "upstreamHealth",
         (extract(epoch FROM health_until) * 1000)::float8 AS "healthUntilMs",
         (extract(epoch FROM activated_at) * 1000)::float8 AS "activatedAtMs", variables
  FROM template_versions
  WHERE template_id = ANY ($1::uuid[]) AND (state = ANY ($2::text[]) OR id = ANY ($3::uuid[]))`;
