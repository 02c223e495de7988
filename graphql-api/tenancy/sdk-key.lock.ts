import { LockMode } from '@mikro-orm/postgresql';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { isSdkKeyActive, SdkKey } from './sdk-key.entity.ts';

/** Locks the workspace's SDK key, so that `before` in the audit log is the value this change
 * replaces. */
export async function lockSdkKey({ em, viewer }: ActionScope, id: string): Promise<SdkKey> {
  const where = { id, workspaceId: workspaceOf(viewer) };
  const key = await em.findOne(SdkKey, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  return key ?? reject('NOT_FOUND', { field: ['id'], message: 'No SDK key exists with this ID.' });
}

export async function lockActiveSdkKey(scope: ActionScope, id: string): Promise<SdkKey> {
  const key = await lockSdkKey(scope, id);
  if (!isSdkKeyActive(key, scope.deps.clock.nowMs())) reject('SDK_KEY_ENDED', { field: ['id'] });
  return key;
}
