import type { ActionScope } from '../platform/run-action.ts';
import type { SdkKeyRevoke } from './sdk-key.contract.ts';
import { lockSdkKey } from './sdk-key.lock.ts';

/** Revokes an SDK key permanently. A repeat changes nothing and writes no audit entry. */
export async function sdkKeyRevoke(
  scope: ActionScope,
  { id }: SdkKeyRevoke,
): Promise<{ readonly id: string }> {
  const key = await lockSdkKey(scope, id);
  if (key.revokedAt) return { id };
  key.revokedAt = new Date(scope.deps.clock.nowMs());
  await scope.em.flush();
  await scope.audit({
    action: 'sdk_key.revoke',
    subjectType: 'sdk_key',
    subjectId: id,
    before: { revokedAt: null },
    after: { revokedAt: key.revokedAt.toISOString() },
  });
  return { id };
}
