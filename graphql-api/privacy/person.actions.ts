import { DAY_MS } from '../../schema/values/durations.ts';
import { kysely } from '../platform/database/kysely.ts';
import { requestJob } from '../platform/jobs/request-job.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { ConfirmedPerson, PrivacySettingsUpdate } from './person.contract.ts';
import { PersonErasure } from './person-erasure.entity.ts';
import { erasePerson } from './person-erasure.job.ts';
import { PersonExport } from './person-export.entity.ts';
import { digestOf, keyOf, type PersonKey } from './person-key.ts';
import { lateDaysOf } from './privacy-settings.reads.ts';

/** One runs at a time, and each reads all rows of its workspace. */
const WAITING_MAX = 20;
export const EXPORT_HOURS = 24;

/** Requests the erasure of the person with these IDs. A job deletes the rows. */
export async function personErase(
  scope: ActionScope,
  input: ConfirmedPerson,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  const { key, digest } = confirmed(workspaceId, input);
  await oneAtATime(scope, `erasures of ${workspaceId}`);
  const waiting = await kysely(em)
    .selectFrom('person_erasures')
    .select(['id', 'digest'])
    .where('workspaceId', '=', workspaceId)
    .where('state', 'in', ['QUEUED', 'RUNNING'])
    .execute();
  const same = waiting.find(other => other.digest === digest);
  if (same !== undefined) return { id: same.id };
  if (waiting.length >= WAITING_MAX) reject('TOO_MANY_ERASURES');
  const id = deps.newId();
  const now = new Date(deps.clock.nowMs());
  const lateDays = await lateDaysOf(em, workspaceId);
  const { nameHashes, deviceHashes } = key;
  await em.insert(PersonErasure, {
    id,
    workspaceId,
    actorId: viewer.userId,
    digest,
    nameHashes: [...nameHashes],
    deviceHashes: [...deviceHashes],
    lateDays,
    createdAt: now,
    // If the job fails, the scheduled job runs the first pass.
    nextPassAt: new Date(now.getTime() + DAY_MS),
  });
  await requestJob(scope, erasePerson, { erasureId: id });
  await audit({
    action: 'person_erasure.request',
    subjectId: id,
    after: { digest, ...sizeOf(key), lateDays },
  });
  return { id };
}

/** Allows the viewer to download the stored data of the person, for a day. */
export async function personExport(
  { em, viewer, deps, audit }: ActionScope,
  input: ConfirmedPerson,
): Promise<{ readonly id: string }> {
  const workspaceId = workspaceOf(viewer);
  const { key, digest } = confirmed(workspaceId, input);
  const { nameHashes, deviceHashes } = key;
  const id = deps.newId();
  const nowMs = deps.clock.nowMs();
  await em.insert(PersonExport, {
    id,
    workspaceId,
    actorId: viewer.userId,
    nameHashes: [...nameHashes],
    deviceHashes: [...deviceHashes],
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + EXPORT_HOURS * 60 * 60 * 1000),
  });
  await audit({ action: 'person_export.create', subjectId: id, after: { digest, ...sizeOf(key) } });
  return { id };
}

/** Applies to erasures that are requested from now on. */
export async function privacySettingsUpdate(
  { em, viewer, deps, audit }: ActionScope,
  { lateDays }: PrivacySettingsUpdate,
): Promise<{ readonly id: string }> {
  const workspaceId = workspaceOf(viewer);
  const before = await lateDaysOf(em, workspaceId);
  const changes = { lateDays, updatedAt: new Date(deps.clock.nowMs()) };
  await kysely(em)
    .insertInto('privacy_settings')
    .values({ workspaceId, ...changes })
    .onConflict(conflict => conflict.column('workspaceId').doUpdateSet(changes))
    .execute();
  await audit({
    action: 'privacy.settings',
    subjectType: 'workspace',
    subjectId: workspaceId,
    before: { lateDays: before },
    after: { lateDays },
  });
  return { id: workspaceId };
}

/** The IDs must be exactly those of the footprint. */
function confirmed(workspaceId: string, { confirmation, ...ids }: ConfirmedPerson) {
  if (ids.userIds.length + ids.anonymousIds.length === 0)
    reject('BAD_USER_INPUT', {
      field: ['userIds'],
      message: 'Provide at least one user ID or anonymous ID.',
    });
  const digest = digestOf(ids);
  if (digest !== confirmation) reject('CONFIRMATION_MISMATCH', { field: ['confirmation'] });
  return { key: keyOf(workspaceId, ids), digest };
}

function sizeOf({ nameHashes, deviceHashes }: PersonKey) {
  return { userIds: nameHashes.length, anonymousIds: deviceHashes.length };
}
