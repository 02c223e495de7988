// Encrypts values that must not be readable in a copy of the database: AES-256-GCM, bound to a
// place, so that a sealed value moved to another row or field cannot be opened. Two keys are
// derived from each configured key: one for sealing, one for blind indexes. The first configured
// key seals; all of them open, so that keys can be replaced.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { EncryptionKey } from '../environment/encryption-keys.ts';

/** The row and the field that a sealed value belongs to. */
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
  readonly keyId: string;
  /** The IDs of all keys that open. */
  readonly keyIds: readonly string[];
  seal(place: Place, text: string): Sealed;
  /** Throws if the value was not sealed at this place, or if its key is no longer configured. */
  open(place: Place, sealed: Sealed): string;
  /** A keyed hash, deterministic for a text and a purpose. */
  blindIndex(purpose: string, text: string): string;
  /** The blind index of each key. A value stored before a key rotation has the index of an older
   * key. */
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
  if (first === undefined) throw new Error('no encryption key is configured');
  return {
    keyId: first.id,
    keyIds: keys.map(key => key.id),
    seal: (place, text) => seal(first, place, text),
    open(place, sealed) {
      const key = keys.find(({ id }) => id === sealed.keyId);
      if (key === undefined) throw new Error(`encryption key ${sealed.keyId} is not configured`);
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

/** Encoded as JSON, so that different places have different bytes. */
function bytesOf({ table, rowId, field }: Place): Buffer {
  return Buffer.from(JSON.stringify([table, rowId, field]));
}

function index({ id, indexing }: DerivedKey, purpose: string, text: string): string {
  const hash = createHmac('sha256', indexing).update(JSON.stringify([purpose, text]));
  return `${id}.${hash.digest('base64url')}`;
}
