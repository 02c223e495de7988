export type EncryptionKey = { readonly id: string; readonly bytes: Uint8Array };

export const ENCRYPTION_KEYS_FORM =
  'must be one or more keys in the form ID:BASE64, separated by commas: a unique ID, and the 32 bytes of the key in base64';

const KEY_BYTES = 32;

/** Parses ENCRYPTION_KEYS; undefined if any part is invalid. */
export function parseEncryptionKeys(text: string): EncryptionKey[] | undefined {
  const keys = text
    .split(',')
    .map(parseKey)
    .filter(key => key !== undefined);
  const ids = new Set(keys.map(key => key.id));
  return ids.size === text.split(',').length ? keys : undefined;
}

function parseKey(text: string): EncryptionKey | undefined {
  const [, id, encoded] = /^\s*([A-Za-z0-9_-]{1,16}):([A-Za-z0-9+/]+=*)\s*$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded ?? '', 'base64');
  return id !== undefined && bytes.length === KEY_BYTES ? { id, bytes } : undefined;
}
