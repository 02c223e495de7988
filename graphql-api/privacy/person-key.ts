import { createHash } from 'node:crypto';

export type PersonIds = {
  /** User IDs and contact IDs. Rows may have either in the same column. */
  readonly userIds: readonly string[];
  /** IDs of devices that only this person used. */
  readonly anonymousIds: readonly string[];
};

/** The hashes by which rows of the person are found, so that no ID has to be stored. */
export type PersonKey = {
  readonly workspaceId: string;
  readonly nameHashes: readonly string[];
  readonly deviceHashes: readonly string[];
};

/** Also computed by Postgres (`person_hash`) and by ClickHouse (`hashOf` in `warehouse-tables.ts`). */
export function personHash(workspaceId: string, id: string): string {
  return sha256(`${workspaceId}\n${id}`);
}

export function keyOf(workspaceId: string, { userIds, anonymousIds }: PersonIds): PersonKey {
  const hashes = (ids: readonly string[]) =>
    [...new Set(ids)].map(id => personHash(workspaceId, id)).toSorted();
  return { workspaceId, nameHashes: hashes(userIds), deviceHashes: hashes(anonymousIds) };
}

/** Identifies the set of IDs: the confirmation of a footprint, and the digest in a receipt. */
export function digestOf({ userIds, anonymousIds }: PersonIds): string {
  return sha256(JSON.stringify([userIds, anonymousIds].map(ids => [...new Set(ids)].toSorted())));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
