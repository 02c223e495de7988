import { randomBytes } from 'node:crypto';
import { countOf } from '../platform/database/count-of.ts';
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

/** Limited because ingest keeps the active keys of all tenants in memory. */
const LIVE_KEYS_MAX = 100;
/** The key is not a secret, but must be too long to guess. */
const KEY_BYTES = 18;

/** Adds an SDK key to the viewer's workspace, unless it has the maximum number of active keys. */
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
  if ((await countOf(em, SdkKey, { workspaceId, ...isLive })) >= LIVE_KEYS_MAX)
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

/** The settings of an SDK key, as recorded in the audit log. */
export function settingsOf({ name, minuteCap, hourCap, origins }: SdkKey): SdkKeySettings {
  return { name, minuteCap: minuteCap ?? null, hourCap: hourCap ?? null, origins };
}
