import { LockMode } from '@mikro-orm/postgresql';
import { lockInWorkspace } from '../platform/change-entity.ts';
import { workspaceOf } from '../platform/permit.ts';
import { notFound, reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { isSendableAt } from '../templates/transitions.ts';
import { TemplateVersion } from '../templates/version.entity.ts';
import { addEnrolments } from './add-enrolments.ts';
import { JourneyDefinition } from './definition.entity.ts';
import { Enrolment } from './enrolment.entity.ts';
import { EnrolmentOverride, type OverrideKind } from './enrolment-override.entity.ts';
import type {
  EnrolmentHold,
  EnrolmentOverride as EnrolmentOverrideInput,
  EnrolmentOverrideRemove,
  Id,
  JourneyEnrol,
} from './journey.contract.ts';
import { Journey } from './journey.entity.ts';
import type { JourneyNode, SendNode } from './nodes.ts';
import { JourneySnapshot } from './snapshot.entity.ts';
import { takeSnapshot } from './snapshot.take.ts';
import { isOfNode } from './snapshot.ts';
import { JourneySnapshotPin } from './snapshot-pin.entity.ts';

type Enrolled = {
  /** The IDs of the new enrolments. */
  readonly enrolmentIds: readonly string[];
  /** The user IDs of contacts that were already enrolled, whose enrolments are unchanged. */
  readonly alreadyInside: readonly string[];
  /** The user IDs that match no contact. */
  readonly unknownUserIds: readonly string[];
};

/** Enrols contacts in a journey, pinned to the versions that are Active now. */
export async function journeyEnrol(
  scope: ActionScope,
  { id, userIds }: JourneyEnrol,
): Promise<Enrolled> {
  const { em, viewer, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  const journey = await em.findOne(
    Journey,
    { id, workspaceId },
    { lockMode: LockMode.PESSIMISTIC_READ },
  );
  if (journey === null) return notFound('journey', 'id');
  if (journey.status !== 'ACTIVE') reject('JOURNEY_STATUS', { field: ['id'] });
  const people = [...new Set(userIds)];
  const snapshot = await takeSnapshot(scope, journey);
  const found = await addEnrolments(scope, { journey, snapshot, userIds: people });
  const known = new Set(found.map(row => row.userId));
  const enrolmentIds = found.flatMap(row => row.enrolmentId ?? []);
  if (enrolmentIds.length > 0)
    await audit({
      action: 'journey.enrol',
      subjectId: id,
      after: { people: enrolmentIds.length, snapshotId: snapshot.id },
    });
  return {
    enrolmentIds,
    alreadyInside: found.filter(row => row.enrolmentId === null).map(row => row.userId),
    unknownUserIds: people.filter(userId => !known.has(userId)),
  };
}

/** Keeps an enrolment on its pinned version, even if another version is forced. */
export async function enrolmentHoldCurrent(
  scope: ActionScope,
  { id, nodeId, reason }: EnrolmentHold,
): Promise<Id> {
  const { snapshotId } = await lockInFlight(scope, id);
  const pin = await scope.em.findOne(JourneySnapshotPin, { snapshotId, nodeId });
  if (pin === null) return reject('NOT_PINNED', { field: ['nodeId'] });
  return writeOverride(scope, id, nodeId, pin.versionId, 'HOLD', reason ?? '');
}

/** Gives an enrolment another version of the same template, channel and language. */
export async function enrolmentOverride(
  scope: ActionScope,
  { id, nodeId, versionId, reason }: EnrolmentOverrideInput,
): Promise<Id> {
  const { em, viewer, deps } = scope;
  const enrolment = await lockInFlight(scope, id);
  const node = await sendNode(scope, enrolment, nodeId);
  const workspaceId = workspaceOf(viewer);
  const version = await em.findOne(TemplateVersion, { id: versionId, workspaceId });
  if (version === null) return notFound('version', 'versionId');
  if (!isOfNode(version, node)) reject('VERSION_OF_ANOTHER_NODE', { field: ['versionId'] });
  if (!isSendableAt(version, deps.clock.nowMs()))
    reject('VERSION_NOT_SENDABLE', { field: ['versionId'] });
  return writeOverride(scope, id, nodeId, versionId, 'PIN', reason ?? '');
}

/** Removes an override, so that the snapshot and forced rollouts apply again. */
export async function enrolmentOverrideRemove(
  scope: ActionScope,
  { id, nodeId }: EnrolmentOverrideRemove,
): Promise<Id> {
  await lockInFlight(scope, id);
  const found = await scope.em.findOne(EnrolmentOverride, { enrolmentId: id, nodeId });
  if (found === null)
    return reject('NOT_FOUND', {
      field: ['nodeId'],
      message: 'The enrolment has no override at this node.',
    });
  const before = { nodeId, kind: found.kind, versionId: found.versionId };
  await scope.em.remove(found).flush();
  await scope.audit({ action: 'enrolment.override_remove', subjectId: id, before });
  return { id };
}

/** Ends an enrolment, which removes the contact from the journey. Idempotent: an ended enrolment is unchanged. */
export async function enrolmentExit(scope: ActionScope, { id }: Id): Promise<Id> {
  const { em, deps, audit } = scope;
  const enrolment = await lockEnrolment(scope, id);
  if (enrolment.endedAt !== null) return { id };
  const before = { state: enrolment.state, nodeId: enrolment.nodeId };
  enrolment.state = 'EXITED';
  enrolment.nextAt = null;
  enrolment.endedAt = new Date(deps.clock.nowMs());
  await em.flush();
  await audit({ action: 'enrolment.exit', subjectId: id, before, after: { state: 'EXITED' } });
  return { id };
}

function lockEnrolment(scope: ActionScope, id: string): Promise<Enrolment> {
  return lockInWorkspace(scope, Enrolment, id, 'enrolment');
}

async function lockInFlight(scope: ActionScope, id: string): Promise<Enrolment> {
  const enrolment = await lockEnrolment(scope, id);
  if (enrolment.endedAt !== null) reject('ENROLMENT_ENDED', { field: ['id'] });
  return enrolment;
}

async function sendNode(
  { em }: ActionScope,
  { snapshotId }: Enrolment,
  nodeId: string,
): Promise<SendNode> {
  const { definitionId } = await em.findOneOrFail(JourneySnapshot, { id: snapshotId });
  const { nodes } = await em.findOneOrFail(JourneyDefinition, { id: definitionId });
  const node = (nodes as JourneyNode[]).find(({ id }) => id === nodeId);
  if (node?.kind === 'send') return node;
  const message = 'The journey has no send node with this ID.';
  return reject('NOT_FOUND', { field: ['nodeId'], message });
}

async function writeOverride(
  { em, viewer, deps, audit }: ActionScope,
  id: string,
  nodeId: string,
  versionId: string,
  kind: OverrideKind,
  reason: string,
): Promise<Id> {
  await em.upsert(EnrolmentOverride, {
    enrolmentId: id,
    nodeId,
    workspaceId: workspaceOf(viewer),
    versionId,
    kind,
    reason,
    createdBy: viewer.userId,
    createdAt: new Date(deps.clock.nowMs()),
  });
  await audit({
    action: kind === 'HOLD' ? 'enrolment.hold' : 'enrolment.override',
    subjectId: id,
    after: { nodeId, kind, versionId, reason },
  });
  return { id };
}
