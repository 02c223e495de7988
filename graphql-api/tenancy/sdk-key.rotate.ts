import { countOf } from '../platform/database/count-of.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { SdkKeyRotate } from './sdk-key.contract.ts';
import { SdkKey } from './sdk-key.entity.ts';
import { issueSdkKey, settingsOf } from './sdk-key.issue.ts';
import { lockActiveSdkKey } from './sdk-key.lock.ts';

/**
 * Creates a key with the settings of the old one, which keeps working until the overlap ends. A key
 * can be rotated once, and its successor next, so that rotations form chains, not trees.
 */
export async function sdkKeyRotate(
  scope: ActionScope,
  { id: replacedId, overlapSeconds }: SdkKeyRotate,
): Promise<{ readonly id: string; readonly replacedId: string }> {
  const { em, deps, audit } = scope;
  const old = await lockActiveSdkKey(scope, replacedId);
  const { workspaceId } = old;
  if ((await countOf(em, SdkKey, { workspaceId, rotatedFromId: replacedId })) > 0)
    reject('SDK_KEY_ROTATED', { field: ['id'] });
  old.expiresAt = new Date(deps.clock.nowMs() + overlapSeconds * 1000);
  // Expire the old key first: without an overlap, it no longer counts towards the maximum.
  await em.flush();
  const id = await issueSdkKey(scope, settingsOf(old), replacedId);
  await audit({
    action: 'sdk_key.rotate',
    subjectType: 'sdk_key',
    subjectId: replacedId,
    before: { expiresAt: null, replacedById: null },
    after: { expiresAt: old.expiresAt.toISOString(), replacedById: id },
  });
  await audit({
    action: 'sdk_key.create',
    subjectType: 'sdk_key',
    subjectId: id,
    after: { ...settingsOf(old), rotatedFromId: replacedId },
  });
  return { id, replacedId };
}
