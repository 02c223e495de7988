import type { DirectoryData, SdkKeyData } from './directory-data.ts';

/**
 * Removes expired keys, which then get the same response as unknown keys. Uses our own clock, so
 * that keys also expire while Postgres is unavailable.
 */
export function withoutExpiredKeys(data: DirectoryData, nowMs: number): DirectoryData {
  return { ...data, sdkKeys: data.sdkKeys.filter(key => expiryMs(key) > nowMs) };
}

/** When the next key expires; Infinity if none does. */
export function nextExpiryMs(data: DirectoryData): number {
  return data.sdkKeys.reduce((next, key) => Math.min(next, expiryMs(key)), Infinity);
}

function expiryMs(key: SdkKeyData): number {
  return key.expiresAtMs ?? Infinity;
}
