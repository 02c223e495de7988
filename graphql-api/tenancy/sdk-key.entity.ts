import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant, textArray } from '../platform/database/columns.ts';
import type { SdkKeyAccepts } from './sdk-key.contract.ts';

export const SdkKeySchema = defineEntity({
  name: 'SdkKey',
  tableName: 'sdk_keys',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    name: p.text(),
    writeKey: p.text(),
    minuteCap: p.integer().nullable(),
    hourCap: p.integer().nullable(),
    origins: textArray(),
    accepts: p.text().$type<SdkKeyAccepts>().default('CONTRACT'),
    revokedAt: instant().nullable(),
    createdAt: createdAt(),
    expiresAt: instant().nullable(),
    rotatedFromId: p.uuid().nullable(),
    lastUsedAt: instant().nullable(),
    createdBy: p.text().nullable(),
  },
});

/** An SDK key ships inside client apps and can only send events. */
export class SdkKey extends SdkKeySchema.class {}
SdkKeySchema.setClass(SdkKey);

/** Ingest responds to revoked and expired keys as to unknown ones. */
export function isSdkKeyActive({ revokedAt, expiresAt }: SdkKey, nowMs: number): boolean {
  if (revokedAt) return false;
  return !expiresAt || expiresAt.getTime() > nowMs;
}

/** The same as a condition of a query. */
export function activeSdkKeys(nowMs: number) {
  return {
    revokedAt: null,
    $or: [{ expiresAt: null }, { expiresAt: { $gt: new Date(nowMs) } }],
  };
}
