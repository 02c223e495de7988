import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  buildOriginRules,
  isOriginAllowed,
  UnitedOriginRules,
} from '../../../ingest/authenticate/origin.ts';

function allows(entries: string[], origin: string | undefined): boolean {
  return isOriginAllowed({ origins: buildOriginRules(entries) }, origin);
}

describe('an origin allow-list', () => {
  test.each<[string[], string | undefined, boolean]>([
    [[], 'https://any.example', true],
    [[], 'null', true],
    [['https://shop.example'], undefined, true],
    [['https://shop.example'], '', true],
    [['https://shop.example'], 'null', false],
    [['null'], 'null', false],
    [['https://shop.example'], 'https://shop.example', true],
    [['https://shop.example'], 'http://shop.example', false],
    [['https://shop.example'], 'https://shop.example.evil', false],
    [['https://shop.example'], 'https://evilshop.example', false],
    [['https://shop.example'], 'https://a.shop.example', false],
    [['https://shop.example'], 'https://shop.example@evil.example', false],
    [['https://shop.example'], 'https://evil.example/https://shop.example', false],
    [['https://shop.example'], 'https://shop.example https://evil.example', false],
    [['https://shop.example'], 'https://shop.example.', false],
    [['https://shop.example'], 'https://shop.example:443', true],
    [['https://shop.example:443'], 'https://shop.example', true],
    [['http://shop.example:80'], 'http://shop.example', true],
    [['https://shop.example:80'], 'https://shop.example', false],
    [['https://shop.example:8443'], 'https://shop.example', false],
    [['https://shop.example:8443'], 'https://shop.example:8443', true],
    [['HTTPS://Shop.Example/'], 'https://shop.example', true],
    [['https://shop.example'], 'HTTPS://SHOP.EXAMPLE', true],
    [[' https://shop.example '], 'https://shop.example', true],
    [['https://bücher.example'], 'https://xn--bcher-kva.example', true],
    [['http://[::1]:3000'], 'http://[::1]:3000', true],
    [['capacitor://localhost'], 'capacitor://localhost', true],
    [['capacitor://localhost'], 'ionic://localhost', false],
    [['*'], 'https://any.example', true],
    [['shop.example'], 'https://shop.example', false],
    [['https://shop.example/app'], 'https://shop.example', false],
    [['https://*.example.com'], 'https://a.example.com', true],
    [['https://*.example.com'], 'https://a.b.example.com', true],
    [['https://*.example.com'], 'https://A.Example.Com:443', true],
    [['https://*.example.com'], 'https://example.com', false],
    [['https://*.example.com'], 'https://.example.com', false],
    [['https://*.example.com'], 'http://a.example.com', false],
    [['https://*.example.com'], 'https://a.example.com:8443', false],
    [['https://*.example.com:8443'], 'https://a.example.com:8443', true],
    [['https://*.example.com'], 'https://a.example.com.evil', false],
    [['https://*.example.com'], 'https://aexample.com', false],
    [['https://*.example.com'], 'https://*.example.com', false],
    [['https://*example.com'], 'https://aexample.com', false],
    [['https://a.*.com'], 'https://a.b.com', false],
    [['https://*.*.com'], 'https://a.b.com', false],
    [['*://*.example.com'], 'https://a.example.com', false],
    [['https://*.0.0.1'], 'https://127.0.0.1', false],
  ])('%j and the origin %j: %j', (entries, origin, expected) => {
    expect(allows(entries, origin)).toBe(expected);
  });
});

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/);
const host = fc
  .array(label, { minLength: 1, maxLength: 4 })
  .map(labels => [...labels, 'test'].join('.'));
const scheme = fc.constantFrom('http', 'https', 'capacitor');
const port = fc.option(fc.integer({ min: 1, max: 65_535 }));
const origin = fc
  .tuple(scheme, host, port)
  .map(([s, h, p]) => (p === null ? `${s}://${h}` : `${s}://${h}:${p}`));

test('a list allows its entries and equivalent spellings only', () => {
  fc.assert(
    fc.property(origin, origin, (listed, asked) => {
      expect(allows([listed], listed.toUpperCase())).toBe(true);
      const isSame = canonical(listed) === canonical(asked);
      expect(allows([listed], asked)).toBe(isSame);
    }),
  );
});

test('a wildcard allows subdomains at any depth, and nothing else', () => {
  fc.assert(
    fc.property(scheme, host, port, fc.array(label, { maxLength: 3 }), (s, h, p, labels) => {
      const end = p === null ? h : `${h}:${p}`;
      const asked = `${s}://${[...labels, end].join('.')}`;
      expect(allows([`${s}://*.${end}`], asked)).toBe(labels.length > 0);
      expect(allows([`${s}://*.${end}`], `${s}://x${end}`)).toBe(false);
    }),
  );
});

test('no text causes an exception', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.string({ unit: 'binary' }), (entries, asked) => {
      expect(typeof allows(entries, asked)).toBe('boolean');
    }),
  );
});

test('the union of lists allows exactly what one of them does', () => {
  const entry = fc.oneof(
    origin,
    host.map(h => `https://*.${h}`),
  );
  fc.assert(
    fc.property(fc.array(fc.array(entry, { maxLength: 3 })), origin, (lists, asked) => {
      const rules = lists.map(buildOriginRules);
      const united = new UnitedOriginRules();
      for (const one of rules) united.add(one);
      expect(isOriginAllowed({ origins: united }, asked)).toBe(
        lists.some(list => allows(list, asked)),
      );
      const [first, ...others] = lists;
      if (first === undefined) return;
      united.remove(rules[0]!);
      expect(isOriginAllowed({ origins: united }, asked)).toBe(
        others.some(list => allows(list, asked)),
      );
    }),
  );
});

function canonical(text: string): string {
  return text.replace(/^(http:.*):80$/, '$1').replace(/^(https:.*):443$/, '$1');
}
