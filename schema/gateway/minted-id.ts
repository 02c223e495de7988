// The ids that we give to what we make at the gateway. Each says for which workspace it was made, so
// that an event about it finds its workspace whether or not the gateway echoes our tags and notes.
// Lower-case letters and digits only, 39 of them: within the narrowest of the gateway's rules (a
// refund's id has at most 40, without dashes).

import { createHash } from 'node:crypto';

export type MintedKind =
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

/** 50 bits: among a million workspaces two share a code once in two thousand such platforms. */
const CODE_CHARACTERS = 10;
/** 128 bits. */
const ID_CHARACTERS = 26;
/** Crockford's base 32: no i, l, o, u, which people mistake when they read an id aloud. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Of what is the platform's own, such as a link that an organisation pays us by. */
export const PLATFORM_CODE = '0'.repeat(CODE_CHARACTERS);

const MINTED = new RegExp(
  `^(${Object.values(PREFIXES).join('|')})([${ALPHABET}]{${CODE_CHARACTERS}})[${ALPHABET}]{${ID_CHARACTERS}}$`,
);
const KIND_BY_PREFIX = new Map(
  (Object.keys(PREFIXES) as MintedKind[]).map(kind => [PREFIXES[kind], kind]),
);

/** The same for the same arguments. Without a workspace it is the platform's. */
export function mintId(kind: MintedKind, workspaceId: string | undefined, uuid: string): string {
  const id = BigInt(`0x${uuid.replaceAll('-', '')}`);
  return PREFIXES[kind] + workspaceCode(workspaceId) + base32(id, ID_CHARACTERS);
}

/** A hash, since the ids of workspaces that were made together begin alike. */
export function workspaceCode(workspaceId: string | undefined): string {
  if (workspaceId === undefined) return PLATFORM_CODE;
  const hash = createHash('sha256').update(workspaceId.toLowerCase()).digest();
  return base32(hash.readBigUInt64BE() >> 14n, CODE_CHARACTERS);
}

/** Undefined for what we did not mint. Who has an id may have made it up: it proves nothing. */
export function workspaceCodeOf(id: string): string | undefined {
  return MINTED.exec(id)?.[2];
}

export function mintedKindOf(id: string): MintedKind | undefined {
  return KIND_BY_PREFIX.get(MINTED.exec(id)?.[1] ?? '');
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
