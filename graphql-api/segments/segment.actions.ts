import { createStatement } from '../insights/statement.ts';
import { changeEntity, lockInWorkspace } from '../platform/change-entity.ts';
import { countOf } from '../platform/database/count-of.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { requestJob } from '../platform/jobs/request-job.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { evaluateSegment } from './evaluate-segment.job.ts';
import type { SegmentCreate, SegmentId, SegmentUpdate } from './segment.contract.ts';
import { Segment } from './segment.entity.ts';
import { SEGMENT_PEOPLE_MAX } from './segment.evaluate.ts';
import { candidatesQuery } from './segment.sql.ts';
import type { SegmentRule } from './segment-rule.ts';
import { SEGMENTS_IN_USE } from './segments-in-use.ts';

type Id = { readonly id: string };

/**
 * Each is evaluated regularly, and a person is in at most this many. Archived segments do not
 * count.
 */
const SEGMENTS_MAX = 50;

/** Creates a segment in the viewer's workspace. A job evaluates it within seconds. */
export async function segmentCreate(
  scope: ActionScope,
  { name, rule }: SegmentCreate,
): Promise<Id> {
  const { em, viewer, deps, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  requireStatement(rule, deps.clock.nowMs());
  await oneAtATime(scope, `segments of ${workspaceId}`);
  if ((await countOf(em, Segment, { workspaceId, archivedAt: null })) >= SEGMENTS_MAX)
    reject('TOO_MANY_SEGMENTS');
  const now = new Date(deps.clock.nowMs());
  const segment = em.create(Segment, {
    id: deps.newId(),
    workspaceId,
    name,
    rule,
    createdBy: viewer.userId,
    createdAt: now,
    updatedAt: now,
  });
  const { id } = segment;
  await em.persist(segment).flush();
  await requestJob(scope, evaluateSegment, { segmentId: id });
  const after = { name, rule };
  await audit({ action: 'segment.create', subjectId: id, after });
  return { id };
}

/**
 * Omitted fields are unchanged. After a change of the rule, the members are unchanged until the job
 * has evaluated it, within seconds; this evaluation queues no entries.
 */
export async function segmentUpdate(
  scope: ActionScope,
  { id, version, name, rule }: SegmentUpdate,
): Promise<Id> {
  const nowMs = scope.deps.clock.nowMs();
  const segment = await lockInWorkspace(scope, Segment, id, 'segment');
  if (segment.archivedAt) reject('SEGMENT_ARCHIVED', { field: ['id'] });
  if (segment.version !== version)
    reject('SEGMENT_CHANGED', { field: ['version'], facts: { version: segment.version } });
  if (rule !== undefined) {
    requireStatement(rule, nowMs);
    await requestJob(scope, evaluateSegment, { segmentId: id });
  }
  const changes = {
    name,
    rule,
    version: version + 1,
    updatedAt: new Date(nowMs),
    ...(rule !== undefined && { evaluatedAt: null }),
  };
  const shown = ({ name, rule }: Segment) => ({ name, rule });
  return changeEntity(scope, segment, changes, { action: 'segment.update', shown });
}

/** Archives a segment that nothing uses, and removes its members. Idempotent. */
export async function segmentArchive(scope: ActionScope, { id }: SegmentId): Promise<Id> {
  const segment = await lockInWorkspace(scope, Segment, id, 'segment');
  if (segment.archivedAt) return { id };
  const users = await rowsOf(
    scope.em,
    sql`SELECT FROM (${SEGMENTS_IN_USE}) AS used WHERE segment_id = ${id}`,
  );
  if (users.length > 0) reject('SEGMENT_IN_USE', { field: ['id'] });
  const now = new Date(scope.deps.clock.nowMs());
  const changes = {
    archivedAt: now,
    updatedAt: now,
    memberCount: 0,
    version: segment.version + 1,
  };
  // The job removes the members.
  await requestJob(scope, evaluateSegment, { segmentId: id });
  const shown = ({ archivedAt }: Segment) => ({ archivedAt: archivedAt?.toISOString() ?? null });
  return changeEntity(scope, segment, changes, { action: 'segment.archive', shown });
}

/** Rejects a rule that cannot be converted to a statement, for example with too many filters. */
function requireStatement(rule: SegmentRule, nowMs: number): void {
  candidatesQuery(createStatement({ fromMs: 0, toMs: nowMs }), rule, {
    nowMs,
    limit: SEGMENT_PEOPLE_MAX,
  });
}
