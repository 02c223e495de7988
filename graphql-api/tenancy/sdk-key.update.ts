import type { ActionScope } from '../platform/run-action.ts';
import type { SdkKeyUpdate } from './sdk-key.contract.ts';
import { settingsOf } from './sdk-key.issue.ts';
import { lockActiveSdkKey } from './sdk-key.lock.ts';

/** Updates the name, the caps and the origins of an SDK key. */
export async function sdkKeyUpdate(
  scope: ActionScope,
  input: SdkKeyUpdate,
): Promise<{ readonly id: string }> {
  const key = await lockActiveSdkKey(scope, input.id);
  const before = settingsOf(key);
  if (input.name !== undefined) key.name = input.name;
  if (input.minuteCap !== undefined) key.minuteCap = input.minuteCap;
  if (input.hourCap !== undefined) key.hourCap = input.hourCap;
  if (input.origins !== undefined) key.origins = input.origins ?? [];
  await scope.em.flush();
  await scope.audit({
    action: 'sdk_key.update',
    subjectType: 'sdk_key',
    subjectId: key.id,
    before,
    after: settingsOf(key),
  });
  return { id: key.id };
}
