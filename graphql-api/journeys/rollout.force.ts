import type { EntityManager } from '@mikro-orm/postgresql';
import { countOf } from '../platform/database/count-of.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { workspaceOf } from '../platform/permit.ts';
import { notFound, reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { PinsRelease } from '../templates/deps.ts';
import { isSendableAt } from '../templates/transitions.ts';
import { TemplateVersion } from '../templates/version.entity.ts';
import type { RolloutForce } from './journey.contract.ts';
import { Journey } from './journey.entity.ts';

/**
 * Moves enrolments in flight to this version at their next send of the template in its channel and
 * language, in one journey or all. Snapshots do not change. Later enrolments are pinned as usual.
 */
export async function templateRolloutForce(
  scope: ActionScope,
  { id, journeyId }: RolloutForce,
): Promise<{ readonly id: string; readonly released: number }> {
  const { em, viewer, deps, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  // Held until the end, so that the version is still sendable when its rollout begins, and
  // concurrent rollouts are ordered.
  await rowsOf(
    em,
    sql`SELECT FROM templates WHERE workspace_id = ${workspaceId}
          AND id = (SELECT template_id FROM template_versions WHERE id = ${id}) FOR UPDATE`,
  );
  const version = await em.findOne(TemplateVersion, { id, workspaceId });
  if (version === null) return notFound('version', 'id');
  if (!isSendableAt(version, deps.clock.nowMs())) reject('VERSION_NOT_SENDABLE', { field: ['id'] });
  if (journeyId && (await countOf(em, Journey, { id: journeyId, workspaceId })) === 0)
    notFound('journey', 'journeyId');
  const released = await releasePins(em, {
    toVersionId: id,
    journeyId: journeyId ?? null,
    releasedBy: viewer.userId,
    cause: 'OPERATOR',
    at: new Date(deps.clock.nowMs()),
  });
  await audit({
    action: 'template.rollout_force',
    subjectType: 'template_version',
    subjectId: id,
    after: { scope: journeyId ? 'JOURNEY' : 'ALL', journeyId: journeyId ?? null, released },
  });
  return { id, released };
}

/**
 * One statement with a row per other version, however many enrolments are pinned. A pinned Draft is
 * a version whose submission was canceled. A rollout in all journeys replaces the releases of single
 * journeys and the releases of the forced version itself. A rollout in one journey may find the
 * version's own pins released everywhere; in that journey they are released to the version itself.
 */
export async function releasePins(
  em: EntityManager,
  { toVersionId, journeyId, releasedBy, cause, at }: PinsRelease,
): Promise<number> {
  const scope = journeyId === null ? 'ALL' : 'JOURNEY';
  const released = await rowsOf(
    em,
    sql`
      WITH forced AS (
        SELECT * FROM template_versions WHERE id = ${toVersionId}
      ), tree AS (
        SELECT version.id, version.workspace_id FROM template_versions AS version
        JOIN forced USING (template_id, channel, language)
        WHERE version.state <> 'Draft'
          OR EXISTS (SELECT FROM journey_snapshot_pins JOIN enrolments USING (snapshot_id)
                     WHERE version_id = version.id AND ended_at IS NULL)
      ), outdated AS (
        DELETE FROM pin_releases USING tree
        WHERE pin_releases.version_id = tree.id AND ${journeyId}::uuid IS NULL
          AND (pin_releases.journey_id IS NOT NULL OR tree.id = ${toVersionId})
      )
      INSERT INTO pin_releases
        (id, workspace_id, version_id, scope, journey_id, to_version_id, cause, released_by, released_at)
      SELECT gen_random_uuid(), workspace_id, id, ${scope}, ${journeyId}::uuid, ${toVersionId}::uuid,
             ${cause}, ${releasedBy}, ${at}::timestamptz
      FROM tree
      WHERE id <> ${toVersionId} OR ${journeyId}::uuid IS NOT NULL
        AND EXISTS (SELECT FROM pin_releases WHERE version_id = ${toVersionId})
      ON CONFLICT (version_id, journey_id) DO UPDATE
        SET to_version_id = excluded.to_version_id, cause = excluded.cause,
            released_by = excluded.released_by, released_at = excluded.released_at
      RETURNING 1`,
  );
  return released.length;
}
