import { changeEntity, lockInWorkspace } from '../platform/change-entity.ts';
import { countOf } from '../platform/database/count-of.ts';
import { requestJob } from '../platform/jobs/request-job.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { permits, workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { requireSegments } from '../segments/require-segments.ts';
import { Template } from '../templates/template.entity.ts';
import { TemplateVersion } from '../templates/version.entity.ts';
import { JourneyDefinition } from './definition.entity.ts';
import { endArchivedJourney } from './end-archived-journey.job.ts';
import type { Id, JourneyActivate, JourneyCreate, JourneyUpdate } from './journey.contract.ts';
import { Journey } from './journey.entity.ts';
import type { JourneyNode, SendNode } from './nodes.ts';
import { currentNodes, pinsForEntry, requireAllPinned } from './snapshot.take.ts';
import { isOfNode, sendNodesOf } from './snapshot.ts';

/** Includes archived journeys: enough for several new ones a week for years. */
const JOURNEYS_MAX = 1_000;
/** A widget may have up to 64 KiB of content, but not every node needs that much. */
const DEFINITION_BYTES_MAX = 256 * 1024;

/** Creates a draft in the viewer's workspace. No contact enters it until it is activated. */
export async function journeyCreate(
  scope: ActionScope,
  { name, nodes, entrySegmentId = null }: JourneyCreate,
): Promise<Id> {
  const { em, viewer, deps, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  await oneAtATime(scope, `journeys of ${workspaceId}`);
  if ((await countOf(em, Journey, { workspaceId })) >= JOURNEYS_MAX) reject('TOO_MANY_JOURNEYS');
  await requireEntrySegment(scope, entrySegmentId, 'DRAFT');
  const createdAt = now(scope);
  const journey = em.create(Journey, {
    id: deps.newId(),
    workspaceId,
    name,
    entrySegmentId,
    createdBy: viewer.userId,
    createdAt,
    updatedAt: createdAt,
  });
  await em.persist(journey).flush();
  await addDefinition(scope, journey, journey.definitionNumber, nodes);
  await audit({
    action: 'journey.create',
    subjectId: journey.id,
    after: { name, nodes: nodes.map(({ id, kind }) => `${id} (${kind})`), entrySegmentId },
  });
  return { id: journey.id };
}

/**
 * Omitted fields are unchanged. New nodes apply to contacts who enter from now on: enrolments in
 * flight finish on the nodes and versions that they entered with. So does another entry segment: its
 * present members do not enter.
 */
export async function journeyUpdate(
  scope: ActionScope,
  { id, version, name, nodes, entrySegmentId }: JourneyUpdate,
): Promise<Id> {
  const journey = await lockJourney(scope, id);
  if (journey.status !== 'DRAFT' && !permits(scope.viewer, 'owner')) reject('FORBIDDEN');
  requireVersion(journey, version);
  if (journey.status === 'ARCHIVED') reject('JOURNEY_STATUS', { field: ['id'] });
  const hasNewEntry =
    entrySegmentId !== undefined && entrySegmentId !== (journey.entrySegmentId ?? null);
  if (hasNewEntry) await requireEntrySegment(scope, entrySegmentId, journey.status);
  const definitionNumber = journey.definitionNumber + (nodes === undefined ? 0 : 1);
  if (nodes !== undefined) await addDefinition(scope, journey, definitionNumber, nodes);
  const changes = {
    name,
    definitionNumber,
    version: version + 1,
    updatedAt: now(scope),
    ...(hasNewEntry && { entrySegmentId, entrySince: now(scope) }),
  };
  return changeEntity(scope, journey, changes, {
    action: 'journey.update',
    shown: ({ name, definitionNumber: definition, entrySegmentId = null }) => ({
      name,
      definition,
      entrySegmentId,
    }),
  });
}

/** Activates a journey: contacts can enter, and enrolments in flight advance. */
export async function journeyActivate(
  scope: ActionScope,
  { id, version }: JourneyActivate,
): Promise<Id> {
  const journey = await lockJourney(scope, id);
  requireVersion(journey, version);
  if (journey.status === 'ACTIVE') return { id };
  if (journey.status === 'ARCHIVED') reject('JOURNEY_STATUS', { field: ['id'] });
  const { nodes } = await currentNodes(scope, journey);
  requireAllPinned(nodes, await pinsForEntry(scope, journey.workspaceId, nodes));
  await requireEntrySegment(scope, journey.entrySegmentId, 'ACTIVE');
  journey.entrySince = now(scope);
  return changeStatus(scope, journey, 'ACTIVE', 'journey.activate');
}

/**
 * Pauses a journey: no contact enters and no enrolment advances until it is activated again.
 * Requires no version, so that an emergency stop cannot fail with a conflict.
 */
export async function journeyPause(scope: ActionScope, { id }: Id): Promise<Id> {
  const journey = await lockJourney(scope, id);
  if (journey.status === 'PAUSED') return { id };
  if (journey.status !== 'ACTIVE') reject('JOURNEY_STATUS', { field: ['id'] });
  return changeStatus(scope, journey, 'PAUSED', 'journey.pause');
}

/** Ends a journey permanently. A job exits its enrolments; until then their pins hold. */
export async function journeyArchive(scope: ActionScope, { id }: Id): Promise<Id> {
  const journey = await lockJourney(scope, id);
  if (journey.status === 'ARCHIVED') return { id };
  await changeStatus(scope, journey, 'ARCHIVED', 'journey.archive');
  await requestJob(scope, endArchivedJourney, { journeyId: id });
  return { id };
}

/** Locks the workspace's journey: no contact enters or advances while it changes. */
function lockJourney(scope: ActionScope, id: string): Promise<Journey> {
  return lockInWorkspace(scope, Journey, id, 'journey');
}

/** Contacts enter an active journey, so its segment must have been evaluated. */
function requireEntrySegment(
  scope: ActionScope,
  segmentId: string | null | undefined,
  status: Journey['status'],
): Promise<void> {
  return requireSegments(scope, segmentId == null ? [] : [segmentId], {
    field: 'entrySegmentId',
    isUsed: status === 'ACTIVE',
  });
}

function requireVersion(journey: Journey, version: number): void {
  if (journey.version === version) return;
  reject('JOURNEY_CHANGED', { field: ['version'], facts: { version: journey.version } });
}

/** Sets the status, increases the version and writes the audit log. */
function changeStatus(
  scope: ActionScope,
  journey: Journey,
  status: Journey['status'],
  action: `journey.${string}`,
): Promise<Id> {
  const changes = { status, version: journey.version + 1, updatedAt: now(scope) };
  return changeEntity(scope, journey, changes, { action, shown: ({ status }) => ({ status }) });
}

function now({ deps }: ActionScope): Date {
  return new Date(deps.clock.nowMs());
}

/** Adds a definition for contacts who enter from now on. Enrolments in flight keep theirs. */
async function addDefinition(
  scope: ActionScope,
  { id: journeyId, workspaceId }: Journey,
  number: number,
  nodes: readonly JourneyNode[],
): Promise<void> {
  const { em, viewer, deps } = scope;
  if (Buffer.byteLength(JSON.stringify(nodes)) > DEFINITION_BYTES_MAX)
    reject('JOURNEY_TOO_LARGE', { field: ['nodes'] });
  await requireTemplates(scope, workspaceId, sendNodesOf(nodes));
  await em.insert(JourneyDefinition, {
    id: deps.newId(),
    journeyId,
    workspaceId,
    number,
    nodes: [...nodes],
    createdBy: viewer.userId,
    createdAt: now(scope),
  });
}

/** Requires live templates of the workspace, and versions of exactly those templates. */
async function requireTemplates(
  { em }: ActionScope,
  workspaceId: string,
  nodes: readonly SendNode[],
): Promise<void> {
  if (nodes.length === 0) return;
  const ids = nodes.map(({ templateId }) => templateId);
  const templates = await em.find(Template, { id: { $in: ids }, workspaceId, archivedAt: null });
  const missing = nodes.find(node => templates.every(({ id }) => id !== node.templateId));
  if (missing !== undefined)
    reject('NOT_FOUND', {
      field: ['nodes'],
      message: `The template of node ${missing.id} does not exist or is archived.`,
    });
  const versionIds = nodes.flatMap(({ versionId }) => versionId ?? []);
  if (versionIds.length === 0) return;
  const versions = await em.find(TemplateVersion, { id: { $in: versionIds }, workspaceId });
  for (const node of nodes) {
    if (node.versionId === undefined) continue;
    const version = versions.find(({ id }) => id === node.versionId);
    if (version === undefined || !isOfNode(version, node))
      reject('VERSION_OF_ANOTHER_NODE', { field: ['nodes'], facts: { node: node.id } });
  }
}
