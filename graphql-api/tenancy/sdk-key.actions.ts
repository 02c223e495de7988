import { randomBytes } from 'node:crypto';
import { changeEntity, lockInWorkspace } from '../platform/change-entity.ts';
import { countOf } from '../platform/database/count-of.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type {
  SdkKeyAccepts,
  SdkKeyCreate,
  SdkKeyRevoke,
  SdkKeyRotate,
  SdkKeyUpdate,
} from './sdk-key.contract.ts';
import { activeSdkKeys, isSdkKeyActive, SdkKey } from './sdk-key.entity.ts';

/** Limited because ingest keeps the active keys of all tenants in memory. */
const ACTIVE_KEYS_MAX = 100;
const ACCEPTS_DEFAULT: SdkKeyAccepts = 'CONTRACT';
/** The key is not a secret, but must be too long to guess. */
const KEY_BYTES = 18;

/** Creates an SDK key in the viewer's workspace. Ingest accepts it within a second. */
export async function sdkKeyCreate(
  scope: ActionScope,
  input: SdkKeyCreate,
): Promise<{ readonly id: string }> {
  const settings = {
    name: input.name,
    minuteCap: input.minuteCap ?? null,
    hourCap: input.hourCap ?? null,
    origins: input.origins ?? [],
    accepts: input.accepts ?? ACCEPTS_DEFAULT,
  };
  const id = await issueSdkKey(scope, settings);
  await scope.audit({ action: 'sdk_key.create', subjectId: id, after: settings });
  return { id };
}

export async function sdkKeyUpdate(
  scope: ActionScope,
  { id, origins, accepts, ...changes }: SdkKeyUpdate,
): Promise<{ readonly id: string }> {
  const key = await lockActiveSdkKey(scope, id);
  const values = {
    ...changes,
    origins: origins === null ? [] : origins,
    accepts: accepts === null ? ACCEPTS_DEFAULT : accepts,
  };
  return changeEntity(scope, key, values, { action: 'sdk_key.update', shown: settingsOf });
}

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
  // Expire the old key first: without an overlap, it no longer counts toward the maximum.
  await em.flush();
  const id = await issueSdkKey(scope, settingsOf(old), replacedId);
  await audit({
    action: 'sdk_key.rotate',
    subjectId: replacedId,
    before: { expiresAt: null, replacedById: null },
    after: { expiresAt: old.expiresAt.toISOString(), replacedById: id },
  });
  await audit({
    action: 'sdk_key.create',
    subjectId: id,
    after: { ...settingsOf(old), rotatedFromId: replacedId },
  });
  return { id, replacedId };
}

/** Revokes an SDK key permanently. A repeat changes nothing and writes no audit entry. */
export async function sdkKeyRevoke(
  scope: ActionScope,
  { id }: SdkKeyRevoke,
): Promise<{ readonly id: string }> {
  const key = await lockSdkKey(scope, id);
  if (key.revokedAt) return { id };
  const revokedAt = new Date(scope.deps.clock.nowMs());
  const shown = ({ revokedAt = null }: SdkKey) => ({ revokedAt });
  return changeEntity(scope, key, { revokedAt }, { action: 'sdk_key.revoke', shown });
}

type SdkKeySettings = {
  readonly name: string;
  readonly minuteCap: number | null;
  readonly hourCap: number | null;
  readonly origins: string[];
  readonly accepts: SdkKeyAccepts;
};

/** Adds an SDK key to the viewer's workspace, unless it has the maximum number of active keys. */
async function issueSdkKey(
  scope: ActionScope,
  settings: SdkKeySettings,
  rotatedFromId: string | null = null,
): Promise<string> {
  const { em, viewer, deps } = scope;
  const workspaceId = workspaceOf(viewer);
  const nowMs = deps.clock.nowMs();
  await oneAtATime(scope, `sdk_keys of ${workspaceId}`);
  const active = { workspaceId, ...activeSdkKeys(nowMs) };
  if ((await countOf(em, SdkKey, active)) >= ACTIVE_KEYS_MAX) reject('TOO_MANY_SDK_KEYS');
  const id = deps.newId();
  await em.insert(SdkKey, {
    id,
    workspaceId,
    ...settings,
    writeKey: `wk_${randomBytes(KEY_BYTES).toString('base64url')}`,
    rotatedFromId,
    createdAt: new Date(nowMs),
    createdBy: viewer.userId,
  });
  return id;
}

/** The settings of an SDK key, as recorded in the audit log. */
function settingsOf({ name, minuteCap, hourCap, origins, accepts }: SdkKey): SdkKeySettings {
  return { name, minuteCap: minuteCap ?? null, hourCap: hourCap ?? null, origins, accepts };
}

function lockSdkKey(scope: ActionScope, id: string): Promise<SdkKey> {
  return lockInWorkspace(scope, SdkKey, id, 'SDK key');
}

async function lockActiveSdkKey(scope: ActionScope, id: string): Promise<SdkKey> {
  const key = await lockSdkKey(scope, id);
  if (!isSdkKeyActive(key, scope.deps.clock.nowMs())) reject('SDK_KEY_ENDED', { field: ['id'] });
  return key;
}
