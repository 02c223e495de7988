import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRefusedAddress } from '../../../graphql-api/webhooks/dispatch/address.ts';
import { readWebhookUrl } from '../../../graphql-api/webhooks/dispatch/url.ts';
import { wordsOf } from './words-of.ts';

const OWN_PORT = 8123;
const servicePorts = new Set([OWN_PORT]);
const CLOSED = { isLoopbackAllowed: false, servicePorts };
const OPEN = { isLoopbackAllowed: true, servicePorts };

describe('addresses', () => {
  const refused = wordsOf(`
    0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255
    127.0.0.1 127.1.2.3 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.192
    192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.9
    224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 168.63.129.16 :: ::1 ::127.0.0.1
    ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1
    64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b::169.254.169.254 64:ff9b:1::808:808 100::1
    2001::1 2001:0:1::1 2001:db8::1 2001:10::1 2002:7f00:1:: 2002:808:808::1 3fff::1 5f00::1
    fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 2606:4700::1111%eth0
    localhost a.b 1.2.3 0x7f.0.0.1 010.0.0.1`);
  const allowed = wordsOf(`
    8.8.8.8 1.1.1.1 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.167.255.255
    169.253.1.1 223.255.255.255 168.63.129.17 2606:4700:4700::1111 2001:4860:4860::8888
    2a00:1450:4001:82a::200e 64:ff9b::8.8.8.8 64:ff9b::808:808`);
  test.each(refused)('%s is refused', address => {
    expect(isRefusedAddress(address, 443, CLOSED)).toBe(true);
  });
  test.each(allowed)('%s is public', address => {
    expect(isRefusedAddress(address, 443, CLOSED)).toBe(false);
  });
  test('an empty address is refused', () => {
    expect(isRefusedAddress('', 443, CLOSED)).toBe(true);
  });
  test('development allows loopback addresses, but not other notations of them', () => {
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '0:0:0:0:0:0:0:1'])
      expect(isRefusedAddress(address, 443, OPEN), address).toBe(false);
    for (const address of ['::ffff:127.0.0.1', '64:ff9b::7f00:1', '10.0.0.1', '0.0.0.0', '::'])
      expect(isRefusedAddress(address, 443, OPEN), address).toBe(true);
  });
  test('an IPv4 address within NAT64 is refused exactly if the IPv4 address is refused', () => {
    fc.assert(
      fc.property(fc.ipV4(), address => {
        expect(isRefusedAddress(`64:ff9b::${address}`, 443, CLOSED)).toBe(
          isRefusedAddress(address, 443, CLOSED),
        );
        expect(isRefusedAddress(`::ffff:${address}`, 443, CLOSED)).toBe(true);
      }),
    );
  });
});

describe('URLs', () => {
  test.each([
    'http://example.com/',
    'https://example.com:8443/',
    'https://user@example.com/',
    'https://:secret@example.com/',
    'https://example.com/#part',
    'https://example.com/#',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/',
    'https://localhost./',
    'https://a.localhost/',
    'https://intranet/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://db.internal./',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'example.com',
    '',
    `https://example.com/${'a'.repeat(2048)}`,
  ])('%s is refused', url => {
    expect(readWebhookUrl(url, CLOSED)).toMatchObject({ isOk: false });
  });
  test.each([
    'https://example.com',
    'https://example.com:443/a?b=c',
    'https://8.8.8.8/',
    'https://münchen.example/',
  ])('%s is accepted', url => {
    expect(readWebhookUrl(url, CLOSED)).toMatchObject({ isOk: true, target: { port: 443 } });
  });
  test('development also allows this machine, by http and on any port, and nothing else', () => {
    for (const url of ['http://127.0.0.1:9/', 'http://localhost:80/', 'https://[::1]:8443/x'])
      expect(readWebhookUrl(url, OPEN), url).toMatchObject({ isOk: true });
    for (const url of ['http://example.com/', 'https://example.com:8443/', 'http://10.0.0.1/'])
      expect(readWebhookUrl(url, OPEN), url).toMatchObject({ isOk: false });
  });
  test('the service’s own ports on this machine are refused, with any notation of the host', () => {
    for (const host of [
      '127.0.0.1',
      '127.9.9.9',
      '127.1',
      '2130706433',
      '[::1]',
      'localhost',
      'LOCALHOST.',
      'a.localhost',
    ])
      for (const protocol of ['http', 'https'])
        expect(readWebhookUrl(`${protocol}://${host}:${OWN_PORT}/?query=SELECT`, OPEN)).toEqual({
          isOk: false,
          fault: 'Port 8123 is used by the service itself.',
        });
  });
  test('the connection uses the checked address', () => {
    const read = readWebhookUrl('https://EXAMPLE.com:443/a b?c=d', CLOSED);
    expect(read).toEqual({
      isOk: true,
      target: {
        protocol: 'https:',
        hostname: 'example.com',
        port: 443,
        path: '/a%20b?c=d',
        host: 'example.com',
      },
    });
  });
});
