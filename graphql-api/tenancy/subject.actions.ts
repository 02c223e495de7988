// Subjects are users, identified by the claim `sub` of their tokens. The service has no list of users, so any name
// can be revoked.

import { z } from 'zod';
import { countOf } from '../platform/database/count-of.ts';
import { kysely } from '../platform/database/kysely.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { RevokedSubject } from './revoked-subject.entity.ts';

const USER_ID_CHARACTERS_MAX = 255;
/** Limited because every API process keeps the list in memory. */
const SUBJECTS_MAX = 10_000;

export const subjectContract = z.strictObject({
  userId: z
    .string()
    .min(1, { error: 'must not be empty.' })
    .max(USER_ID_CHARACTERS_MAX, {
      error: `must have at most ${USER_ID_CHARACTERS_MAX} characters.`,
    }),
});

/** Without an organization, in all of them. */
export const platformSubjectContract = subjectContract.extend({
  organizationId: z.uuid().nullish(),
});

type Subject = {
  readonly userId: string;
  readonly organizationId: string | null;
  /** Whether the request is from a platform admin, who can also undo the changes of owners. */
  readonly isByPlatform: boolean;
};
type Changed = { readonly id: string; readonly userId: string };

/** Refuses the tokens of a user in the viewer's organization. A repeat changes nothing. */
export function subjectRevoke(
  scope: ActionScope,
  { userId }: z.output<typeof subjectContract>,
): Promise<Changed> {
  return revoke(scope, ofOwner(scope, userId));
}

export function subjectRestore(
  scope: ActionScope,
  { userId }: z.output<typeof subjectContract>,
): Promise<Changed> {
  return restore(scope, ofOwner(scope, userId));
}

export function platformSubjectRevoke(
  scope: ActionScope,
  { userId, organizationId = null }: z.output<typeof platformSubjectContract>,
): Promise<Changed> {
  return revoke(scope, { userId, organizationId, isByPlatform: true });
}

export function platformSubjectRestore(
  scope: ActionScope,
  { userId, organizationId = null }: z.output<typeof platformSubjectContract>,
): Promise<Changed> {
  return restore(scope, { userId, organizationId, isByPlatform: true });
}

function ofOwner({ viewer }: ActionScope, userId: string): Subject {
  return { userId, organizationId: viewer.organizationId, isByPlatform: false };
}

async function revoke(scope: ActionScope, subject: Subject): Promise<Changed> {
  const { userId, organizationId, isByPlatform } = subject;
  const { em, viewer, deps, audit } = scope;
  if (userId === viewer.userId)
    reject('BAD_USER_INPUT', { field: ['userId'], message: 'You cannot revoke your own access.' });
  await lockSubjects(scope, subject);
  const known = await em.findOne(RevokedSubject, { organizationId, subject: userId });
  if (known !== null && known.isByPlatform >= isByPlatform) return { id: known.id, userId };
  // The entry of an owner becomes one that owners cannot remove.
  if (known !== null) await remove(scope, subject);
  if ((await countOf(em, RevokedSubject, { organizationId })) >= SUBJECTS_MAX)
    reject('TOO_MANY_REVOKED_SUBJECTS');
  const id = deps.newId();
  const createdAt = new Date(deps.clock.nowMs());
  await em.insert(RevokedSubject, {
    id,
    organizationId,
    subject: userId,
    revokedBy: viewer.userId,
    isByPlatform,
    createdAt,
  });
  await audit({ action: 'subject.revoke', ...described(id, organizationId), after: { userId } });
  return { id, userId };
}

/** Accepts the tokens again. */
async function restore(scope: ActionScope, subject: Subject): Promise<Changed> {
  const { userId, organizationId, isByPlatform } = subject;
  await lockSubjects(scope, subject);
  const known = await scope.em.findOne(RevokedSubject, { organizationId, subject: userId });
  if (known === null)
    return reject('NOT_FOUND', {
      field: ['userId'],
      message: 'This user’s access is not revoked.',
    });
  if (known.isByPlatform && !isByPlatform)
    return reject('FORBIDDEN', {
      field: ['userId'],
      message: 'A platform admin revoked this user’s access. Only a platform admin can restore it.',
    });
  await remove(scope, subject);
  const { id } = known;
  await scope.audit({
    action: 'subject.restore',
    ...described(id, organizationId),
    before: { userId },
  });
  return { id, userId };
}

function lockSubjects(scope: ActionScope, { organizationId }: Subject): Promise<void> {
  return oneAtATime(scope, `revoked_subjects of ${organizationId ?? 'all organizations'}`);
}

async function remove({ em }: ActionScope, { userId, organizationId }: Subject): Promise<void> {
  await kysely(em)
    .deleteFrom('revoked_subjects')
    .where('subject', '=', userId)
    .where('organizationId', 'is not distinct from', organizationId)
    .execute();
}

function described(subjectId: string, organizationId: string | null) {
  return { subjectId, organizationId, workspaceId: null };
}
