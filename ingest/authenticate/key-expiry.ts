import type { DirectoryData, SdkKeyData } from './directory-data.ts';

/** Without the keys whose time is over, which are answered like unknown ones; by our own clock, so
 * that it ends them also while Postgres is away. */
export function withoutExpiredKeys(data: DirectoryData, nowMs: number): DirectoryData {
  return { ...data, sdkKeys: data.sdkKeys.filter(key => expiryMs(key) > nowMs) };
}

/** When the next key ends; never, where none does. */
export function nextExpiryMs(data: DirectoryData): number {
  return data.sdkKeys.reduce((next, key) => Math.min(next, expiryMs(key)), Infinity);
}

function expiryMs(key: SdkKeyData): number {
  return key.expiresAtMs ?? Infinity;
}
