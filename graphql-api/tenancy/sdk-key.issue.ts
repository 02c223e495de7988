import { randomBytes } from 'node:crypto';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { SdkKey } from './sdk-key.entity.ts';

export type SdkKeySettings = {
  readonly name: string;
  readonly minuteCap: number | null;
  readonly hourCap: number | null;
  readonly origins: string[];
};

/** Ingest keeps all live keys of all tenants in memory. */
const LIVE_KEYS_MAX = 100;
/** Not a secret, but nobody should send in another's name by guessing. */
const KEY_BYTES = 18;

/** Adds a key to the viewer's workspace, where it has room for one more. */
export async function issueSdkKey(
  scope: ActionScope,
  settings: SdkKeySettings,
  rotatedFromId: string | null = null,
): Promise<string> {
  const { em, viewer, deps } = scope;
  const workspaceId = workspaceOf(viewer);
  const now = new Date(deps.clock.nowMs());
  await oneAtATime(scope, `sdk_keys of ${workspaceId}`);
  const isLive = { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
  if ((await em.count(SdkKey, { workspaceId, ...isLive })) >= LIVE_KEYS_MAX)
    reject('TOO_MANY_SDK_KEYS');
  const id = deps.newId();
  await em.insert(SdkKey, {
    id,
    workspaceId,
    ...settings,
    writeKey: `wk_${randomBytes(KEY_BYTES).toString('base64url')}`,
    rotatedFromId,
    createdAt: now,
    createdBy: viewer.userId,
  });
  return id;
}

/** What people choose about a key, and the audit log shows of it. */
export function settingsOf({ name, minuteCap, hourCap, origins }: SdkKey): SdkKeySettings {
  return { name, minuteCap: minuteCap ?? null, hourCap: hourCap ?? null, origins };
}
