// Sealing what must not be read from a copy of the database: AES-256-GCM, bound to its place, so that
// a sealed value that is moved to another row or field does not open. Each configured key makes two:
// one seals, one makes blind indexes. The first seals; all open, so that keys can be replaced.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { EncryptionKey } from '../environment/encryption-keys.ts';

/** Where a sealed value belongs. */
export type Place = {
  readonly table: string;
  readonly rowId: string;
  readonly field: string;
};

export type Sealed = {
  readonly keyId: string;
  /** Base64url of nonce, ciphertext and tag. */
  readonly sealed: string;
};

export type Secrets = {
  /** Of the key that seals. */
  readonly keyId: string;
  /** Of all keys that open. */
  readonly keyIds: readonly string[];
  seal(place: Place, text: string): Sealed;
  /** Throws for what was not sealed there, and for a key that isn't configured any more. */
  open(place: Place, sealed: Sealed): string;
  /** A keyed hash that is the same for the same text and purpose. */
  blindIndex(purpose: string, text: string): string;
  /** As each key makes it: what was stored before a key was replaced has another one's. */
  blindIndexes(purpose: string, text: string): readonly string[];
};

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type DerivedKey = { readonly id: string; readonly sealing: Buffer; readonly indexing: Buffer };

export function createSecrets(encryptionKeys: readonly EncryptionKey[]): Secrets {
  const keys = encryptionKeys.map(derive);
  const [first] = keys;
  if (first === undefined) throw new Error('there is no encryption key');
  return {
    keyId: first.id,
    keyIds: keys.map(key => key.id),
    seal: (place, text) => seal(first, place, text),
    open(place, sealed) {
      const key = keys.find(({ id }) => id === sealed.keyId);
      if (key === undefined) throw new Error(`there is no encryption key ${sealed.keyId}`);
      return open(key, place, sealed);
    },
    blindIndex: (purpose, text) => index(first, purpose, text),
    blindIndexes: (purpose, text) => keys.map(key => index(key, purpose, text)),
  };
}

function derive({ id, bytes }: EncryptionKey): DerivedKey {
  const part = (use: string) => Buffer.from(hkdfSync('sha256', bytes, '', use, KEY_BYTES));
  return { id, sealing: part('sealing'), indexing: part('blind index') };
}

function seal({ id, sealing }: DerivedKey, place: Place, text: string): Sealed {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, sealing, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(bytesOf(place));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const sealed = Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]).toString('base64url');
  return { keyId: id, sealed };
}

function open({ sealing }: DerivedKey, place: Place, { sealed }: Sealed): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, sealing, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(bytesOf(place));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const ciphertext = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
}

/** JSON, so that no two places have the same bytes. */
function bytesOf({ table, rowId, field }: Place): Buffer {
  return Buffer.from(JSON.stringify([table, rowId, field]));
}

function index({ id, indexing }: DerivedKey, purpose: string, text: string): string {
  const hash = createHmac('sha256', indexing).update(JSON.stringify([purpose, text]));
  return `${id}.${hash.digest('base64url')}`;
}
