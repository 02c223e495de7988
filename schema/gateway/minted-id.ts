// The IDs that we assign to objects at the gateway. Each contains a code of its workspace, so that
// an event is matched to its workspace even if the gateway does not echo our tags and notes. An ID
// has 39 lower-case letters and digits, which satisfies the gateway's strictest rule (a refund ID
// has at most 40 characters and no dashes).

import { createHash } from 'node:crypto';

type MintedKind =
  | 'order'
  | 'link'
  | 'refund'
  | 'plan'
  | 'subscription'
  | 'subscription_payment'
  | 'vendor';

const PREFIXES: Readonly<Record<MintedKind, string>> = {
  order: 'ord',
  link: 'lnk',
  refund: 'rfd',
  plan: 'pln',
  subscription: 'sub',
  subscription_payment: 'pay',
  vendor: 'vnd',
};

/**
 * 50 bits. With a million workspaces, the chance that any two share a code is one in two thousand.
 */
const CODE_CHARACTERS = 10;
/** 128 bits. */
const ID_CHARACTERS = 26;
/** Crockford's base 32. It omits i, l, o and u, which are easily confused when read aloud. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** The code of the platform's own objects, such as billing links. */
export const PLATFORM_CODE = '0'.repeat(CODE_CHARACTERS);

const MINTED = new RegExp(
  `^(?:${Object.values(PREFIXES).join('|')})([${ALPHABET}]{${CODE_CHARACTERS}})[${ALPHABET}]{${ID_CHARACTERS}}$`,
);

/** Deterministic. Without a workspace, the ID is the platform's. */
export function mintId(kind: MintedKind, workspaceId: string | undefined, uuid: string): string {
  const id = BigInt(`0x${uuid.replaceAll('-', '')}`);
  return PREFIXES[kind] + workspaceCode(workspaceId) + base32(id, ID_CHARACTERS);
}

/** A hash, because the IDs of workspaces created at the same time share a prefix. */
export function workspaceCode(workspaceId: string | undefined): string {
  if (workspaceId === undefined) return PLATFORM_CODE;
  const hash = createHash('sha256').update(workspaceId.toLowerCase()).digest();
  return base32(hash.readBigUInt64BE() >> 14n, CODE_CHARACTERS);
}

/** Undefined for IDs that we did not mint. An ID can be forged, so the code proves nothing. */
export function workspaceCodeOf(id: string): string | undefined {
  return MINTED.exec(id)?.[1];
}

function base32(value: bigint, characters: number): string {
  let text = '';
  let rest = value;
  for (let i = 0; i < characters; i++) {
    text = ALPHABET[Number(rest & 31n)]! + text;
    rest >>= 5n;
  }
  return text;
}
