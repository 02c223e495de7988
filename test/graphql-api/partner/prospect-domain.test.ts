import { expect, test } from 'vitest';
import { isFreemail, registrableDomain } from '../../../graphql-api/partner/prospect-domain.ts';

test.for([
  ['acme.com', 'acme.com'],
  ['  WWW.Acme.COM. ', 'acme.com'],
  ['https://shop.acme.co.uk/path?q=1#x', 'acme.co.uk'],
  ['acme.com:8080/x', 'acme.com'],
  ['MÜNCHEN.de', 'xn--mnchen-3ya.de'],
  ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
  ['a.acme.myshopify.com', 'acme.myshopify.com'],
  // A top-level domain that the list does not contain, like a new one.
  ['shop.acme.example', 'acme.example'],
] as const)('%s belongs to %s', ([typed, domain]) => {
  expect(registrableDomain(typed)).toBe(domain);
});

test.for([
  '',
  'acme',
  'localhost',
  'co.uk',
  'myshopify.com',
  'acme.internal',
  'printer.local',
  'acme.localhost',
  'acme.invalid',
  'acme.home.arpa',
  '192.0.2.1',
  'http://[::1]/',
  'buyer@acme.com',
  'http://user:word@acme.com',
  'https://user@acme.com/',
  'ftp://acme.com',
  'a..com',
  'ac me.com',
  '-acme.com',
  'ac_me.com',
  `${'a'.repeat(64)}.com`,
  'javascript:alert(1)',
])('%s belongs to no registrable domain', typed => {
  expect(registrableDomain(typed)).toBeUndefined();
});

test('public email providers are known', () => {
  expect(['gmail.com', 'rediffmail.com', 'acme.com'].map(isFreemail)).toEqual([true, true, false]);
});
