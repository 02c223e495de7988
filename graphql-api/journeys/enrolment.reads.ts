import type { Context } from '../platform/context.ts';
import { workspaceReads } from '../platform/database/entity-reads.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { workspaceOf } from '../platform/permit.ts';
import { Enrolment } from './enrolment.entity.ts';
import type { OverrideKind } from './enrolment-override.entity.ts';

export const enrolments = workspaceReads(Enrolment);

/** The pinned version of an enrolment at a send node, and its override, if any. */
export type HeldVersion = {
  readonly nodeId: string;
  readonly pinnedVersionId: string | null;
  readonly overrideVersionId: string | null;
  readonly overrideKind: OverrideKind | null;
  readonly overrideReason: string | null;
};

type HeldVersions = { readonly id: string; readonly versions: readonly HeldVersion[] };

export async function heldVersions(
  context: Context,
  enrolmentIds: readonly string[],
): Promise<readonly HeldVersions[]> {
  const em = await context.read();
  const held = await rowsOf(
    em,
    sql<HeldVersion & { readonly id: string }>`
      WITH enrolment AS (
        SELECT id, snapshot_id FROM enrolments
        WHERE id = ANY(${enrolmentIds}) AND workspace_id = ${workspaceOf(context.viewer)}
      ), pin AS (
        SELECT enrolment.id, node_id, version_id
        FROM enrolment JOIN journey_snapshot_pins USING (snapshot_id)
      ), override AS (
        SELECT enrolment_id AS id, node_id, version_id, kind, reason
        FROM enrolment_overrides WHERE enrolment_id IN (SELECT id FROM enrolment)
      )
      SELECT id, node_id, pin.version_id AS pinned_version_id,
             override.version_id AS override_version_id, kind AS override_kind,
             reason AS override_reason
      FROM pin FULL JOIN override USING (id, node_id)
      ORDER BY id, node_id`,
  );
  return [...Map.groupBy(held, ({ id }) => id)].map(([id, versions]) => ({ id, versions }));
}
