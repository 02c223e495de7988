// The addresses that webhooks are never sent to: all addresses outside the public internet, and the
// few public ones behind which a cloud stores the secrets of its machines. Based on the registries
// https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry.

import { BlockList, isIPv4, isIPv6 } from 'node:net';

export type AddressOptions = {
  /** For development: allows addresses of this machine. */
  readonly isLoopbackAllowed: boolean;
  /**
   * The service's own ports on this machine, whose listeners would trust requests from this host.
   */
  readonly servicePorts: ReadonlySet<number>;
};

export function isRefusedAddress(
  address: string,
  port: number,
  { isLoopbackAllowed, servicePorts }: AddressOptions,
): boolean {
  if (isLoopbackAllowed && isLoopback(address)) return servicePorts.has(port);
  if (isIPv4(address)) return REFUSED_V4.check(address);
  if (!isIPv6(address)) return true;
  const groups = groupsOf(address);
  if (groups === undefined) return true;
  // A NAT64 gateway translates such an address to the v4 address within it.
  if (NAT64.check(address, 'ipv6')) return REFUSED_V4.check(lastV4(groups));
  return !GLOBAL_V6.check(address, 'ipv6') || REFUSED_V6.check(address, 'ipv6');
}

/** 127.0.0.0/8 and ::1 only, without their mapped forms. */
export function isLoopback(address: string): boolean {
  if (isIPv4(address)) return address.startsWith('127.');
  return isIPv6(address) && groupsOf(address)?.join(':') === '0:0:0:0:0:0:0:1';
}

const REFUSED_V4 = listOf('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Carrier-grade NAT; the metadata service of one cloud is at 100.100.100.200.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local; the metadata service of most clouds is at 169.254.169.254.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, and the reserved range that ends with the broadcast address.
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // A public address that is a cloud's host agent.
  ['168.63.129.16', 32],
]);

/**
 * All other v6 ranges are loopback, link-local, unique local, multicast, or represent v4 addresses.
 */
const GLOBAL_V6 = listOf('ipv6', [['2000::', 3]]);
const REFUSED_V6 = listOf('ipv6', [
  // Protocol assignments: Teredo, ORCHID, benchmarking and others.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 contains a v4 address and is no longer routed.
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]);
const NAT64 = listOf('ipv6', [['64:ff9b::', 96]]);

function listOf(
  family: 'ipv4' | 'ipv6',
  subnets: readonly (readonly [string, number])[],
): BlockList {
  const list = new BlockList();
  for (const [address, bits] of subnets) list.addSubnet(address, bits, family);
  return list;
}

/** The eight groups without leading zeros; undefined for a zoned address, which is never public. */
function groupsOf(address: string): readonly string[] | undefined {
  if (address.includes('%')) return undefined;
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const plain =
    dotted === null
      ? address
      : `${dotted[1]}${hexOf(dotted[2]!, dotted[3]!)}:${hexOf(dotted[4]!, dotted[5]!)}`;
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(Math.max(missing, 0)).fill('0'), ...after];
  return groups.map(group => Number.parseInt(group, 16).toString(16));
}

function hexOf(high: string, low: string): string {
  return (Number(high) * 256 + Number(low)).toString(16);
}

function lastV4(groups: readonly string[]): string {
  return groups
    .slice(-2)
    .flatMap(group => {
      const value = Number.parseInt(group, 16);
      return [value >> 8, value & 0xff];
    })
    .join('.');
}
