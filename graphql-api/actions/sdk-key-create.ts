import { randomBytes } from 'node:crypto';
import { SdkKey } from '../../schema/entities/sdk-key.ts';
import type { SdkKeyCreate } from '../../schema/wire/sdk-key.ts';
import { workspaceOf } from '../access/permit.ts';
import { reject } from '../rejected.ts';
import type { ActionScope } from './run-action.ts';

/** Ingest keeps all live keys of all tenants in memory. */
const LIVE_KEYS_MAX = 100;
/** Not a secret, but nobody should send in another's name by guessing. */
const KEY_BYTES = 18;

/** A new write key of the viewer's workspace; ingest takes it within a second. */
export async function sdkKeyCreate(
  { em, viewer, deps, audit }: ActionScope,
  input: SdkKeyCreate,
): Promise<{ readonly id: string }> {
  const workspaceId = workspaceOf(viewer);
  const liveCount = await em.count(SdkKey, { workspaceId, revokedAt: null });
  if (liveCount >= LIVE_KEYS_MAX) reject('TOO_MANY_SDK_KEYS');
  const id = deps.newId();
  const settings = {
    name: input.name,
    minuteCap: input.minuteCap ?? null,
    hourCap: input.hourCap ?? null,
    origins: input.origins ?? [],
  };
  await em.insert(SdkKey, {
    id,
    workspaceId,
    ...settings,
    writeKey: `wk_${randomBytes(KEY_BYTES).toString('base64url')}`,
    createdAt: new Date(deps.clock.nowMs()),
    createdBy: viewer.userId,
  });
  await audit({
    action: 'sdk_key.create',
    subjectType: 'sdk_key',
    subjectId: id,
    after: settings,
  });
  return { id };
}
