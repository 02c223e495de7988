import { describe, expect, test } from 'vitest';
import { createSecrets } from '../../../schema/values/sealing.ts';

const key = (id: string, fill: number) => ({ id, bytes: Buffer.alloc(32, fill) });
const [OLD, NEW] = [key('old', 1), key('new', 2)];
const PLACE = { table: 'kyc_secrets', rowId: 'row-1', field: 'pan_number' };
const PAN = 'AAAPA1234A';

describe('a sealed value', () => {
  const secrets = createSecrets([OLD]);

  test('can be opened only where it was sealed, and reveals nothing', () => {
    const sealed = secrets.seal(PLACE, PAN);
    expect(secrets.open(PLACE, sealed)).toBe(PAN);
    expect(sealed.keyId).toBe('old');
    expect(Buffer.from(sealed.sealed, 'base64url').toString('latin1')).not.toContain(PAN);
  });

  test('is different each time', () => {
    const all = Array.from({ length: 100 }, () => secrets.seal(PLACE, PAN).sealed);
    expect(new Set(all).size).toBe(all.length);
  });

  test.for([
    { ...PLACE, table: 'others' },
    { ...PLACE, rowId: 'row-2' },
    { ...PLACE, field: 'bank_account_number' },
    { table: 'kyc_secrets', rowId: 'row-1","pan_number', field: '' },
  ])('cannot be opened in %o', place => {
    const sealed = secrets.seal(PLACE, PAN);
    expect(() => secrets.open(place, sealed)).toThrow();
  });

  test('cannot be opened if any bit was changed', () => {
    const { keyId, sealed } = secrets.seal(PLACE, PAN);
    const bytes = Buffer.from(sealed, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      const text = changed.toString('base64url');
      expect(() => secrets.open(PLACE, { keyId, sealed: text })).toThrow();
    }
    expect(() => secrets.open(PLACE, { keyId, sealed: '' })).toThrow();
  });

  test('holds any text', () => {
    for (const text of ['', 'अ ✓', 'x'.repeat(10_000)])
      expect(secrets.open(PLACE, secrets.seal(PLACE, text))).toBe(text);
  });
});

describe('a key that is put before the others', () => {
  const before = createSecrets([OLD]);
  const both = createSecrets([NEW, OLD]);
  const after = createSecrets([NEW]);

  test('seals; values sealed with the other keys can still be opened', () => {
    const sealed = before.seal(PLACE, PAN);
    expect(both.open(PLACE, sealed)).toBe(PAN);
    expect(both.seal(PLACE, PAN).keyId).toBe('new');
    expect(() => after.open(PLACE, sealed)).toThrow('encryption key old is not configured');
  });

  test('creates different blind indexes, and equal values are found by all of them', () => {
    const stored = before.blindIndex('pan_number', PAN);
    expect(both.blindIndex('pan_number', PAN)).not.toBe(stored);
    expect(both.blindIndexes('pan_number', PAN)).toContain(stored);
    expect(both.blindIndexes('pan_number', 'AAAPA1234B')).not.toContain(stored);
    expect(both.blindIndexes('gst_number', PAN)).not.toContain(stored);
  });
});
