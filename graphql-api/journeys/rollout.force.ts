import type { EntityManager } from '@mikro-orm/postgresql';
import { countOf } from '../platform/database/count-of.ts';
import { numberedSql } from '../platform/database/numbered-sql.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
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
  const { executeSql } = numberedSql(em);
  // Held until the end, so that the version is still sendable when its rollout begins, and
  // concurrent rollouts are ordered.
  await executeSql(
    `SELECT FROM templates WHERE workspace_id = $2
       AND id = (SELECT template_id FROM template_versions WHERE id = $1) FOR UPDATE`,
    [id, workspaceId],
  );
  const version = await em.findOne(TemplateVersion, { id, workspaceId });
  if (version === null)
    return reject('NOT_FOUND', { field: ['id'], message: 'No version exists with this ID.' });
  if (!isSendableAt(version, deps.clock.nowMs())) reject('VERSION_NOT_SENDABLE', { field: ['id'] });
  if (journeyId && (await countOf(em, Journey, { id: journeyId, workspaceId })) === 0)
    reject('NOT_FOUND', { field: ['journeyId'], message: 'No journey exists with this ID.' });
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

/** One statement with a row per other version, however many enrolments are pinned. */
export async function releasePins(
  em: EntityManager,
  { toVersionId, journeyId, releasedBy, cause, at }: PinsRelease,
): Promise<number> {
  const scope = journeyId === null ? 'ALL' : 'JOURNEY';
  const { rows } = await numberedSql(em).executeSql(RELEASE, [
    toVersionId,
    journeyId,
    scope,
    cause,
    releasedBy,
    at,
  ]);
  return rows.length;
}

/**
 * A pinned Draft is a version whose submission was canceled. A rollout in all journeys replaces
 * the releases of single journeys and the releases of the forced version itself. A rollout in one
 * journey may find the version's own pins released everywhere; in that journey they are released to
 * the version itself.
 */
const RELEASE = `
  WITH forced AS (
    SELECT * FROM template_versions WHERE id = $1
  ), tree AS (
    SELECT version.id, version.workspace_id FROM template_versions AS version
    JOIN forced USING (template_id, channel, language)
    WHERE version.state <> 'Draft'
      OR EXISTS (SELECT FROM journey_snapshot_pins JOIN enrolments USING (snapshot_id)
                 WHERE version_id = version.id AND ended_at IS NULL)
  ), outdated AS (
    DELETE FROM pin_releases USING tree
    WHERE pin_releases.version_id = tree.id AND $2::uuid IS NULL
      AND (pin_releases.journey_id IS NOT NULL OR tree.id = $1)
  )
  INSERT INTO pin_releases
    (id, workspace_id, version_id, scope, journey_id, to_version_id, cause, released_by, released_at)
  SELECT gen_random_uuid(), workspace_id, id, $3, $2::uuid, $1, $4, $5, $6::timestamptz
  FROM tree
  WHERE id <> $1 OR $2::uuid IS NOT NULL
    AND EXISTS (SELECT FROM pin_releases WHERE version_id = $1)
  ON CONFLICT (version_id, journey_id) DO UPDATE
    SET to_version_id = excluded.to_version_id, cause = excluded.cause,
        released_by = excluded.released_by, released_at = excluded.released_at
  RETURNING 1`;
