/**
 * Which network addresses belong to nobody in particular on the internet. IPv4 by the ranges that are
 * reserved; IPv6 the other way round: only what is given out for global use counts as public.
 */
import { BlockList, isIP } from 'node:net';

type Family = 'ipv4' | 'ipv6';

const IPV4_RANGES: readonly (readonly [string, string])[] = [
  ['0.0.0.0/8', 'an address of this machine'],
  ['10.0.0.0/8', 'a private network'],
  ['100.64.0.0/10', "a provider's shared network"],
  ['127.0.0.0/8', 'a loopback address'],
  // Also where clouds serve the machine its own keys.
  ['169.254.0.0/16', 'a link-local address'],
  ['172.16.0.0/12', 'a private network'],
  ['192.0.0.0/24', 'a reserved range'],
  ['192.0.2.0/24', 'a range for documentation'],
  ['192.88.99.0/24', 'a reserved range'],
  ['192.168.0.0/16', 'a private network'],
  ['198.18.0.0/15', 'a range for benchmarks'],
  ['198.51.100.0/24', 'a range for documentation'],
  ['203.0.113.0/24', 'a range for documentation'],
  ['224.0.0.0/4', 'a multicast address'],
  ['240.0.0.0/4', 'a reserved range'],
  // A cloud's metadata service in the middle of public addresses.
  ['168.63.129.16/32', 'a metadata service'],
];

const IPV6_RANGES: readonly (readonly [string, string])[] = [
  ['::/128', 'an address of this machine'],
  ['::1/128', 'a loopback address'],
  ['fc00::/7', 'a private network'],
  ['fe80::/10', 'a link-local address'],
  ['ff00::/8', 'a multicast address'],
  // Tunnels and other protocol assignments inside of the global range.
  ['2001::/23', 'a reserved range'],
  ['2001:db8::/32', 'a range for documentation'],
  ['3fff::/20', 'a range for documentation'],
];

const GLOBAL_IPV6 = blockList('2000::/3');

/** Takes `address/bits`. */
export function blockList(range: string): BlockList {
  const [address = '', bits = ''] = range.split('/');
  const list = new BlockList();
  list.addSubnet(address, Number(bits), familyOf(address));
  return list;
}

export function familyOf(address: string): Family {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

const named = (ranges: readonly (readonly [string, string])[]) =>
  ranges.map(([range, name]) => ({ list: blockList(range), name }));

const RANGES = { ipv4: named(IPV4_RANGES), ipv6: named(IPV6_RANGES) };

/** What kind of place this is, when it is not a public one; null: it is public. */
export function privateRange(address: string): string | null {
  const judged = reachedAddress(address);
  if (isIP(judged) === 0) return 'no address at all';
  const family = familyOf(judged);
  const range = RANGES[family].find(({ list }) => list.check(judged, family));
  if (range !== undefined) return range.name;
  return family === 'ipv4' || GLOBAL_IPV6.check(judged, family) ? null : 'a reserved range';
}

/**
 * Where a connection to this address ends up: the IPv4 address inside of one that only wraps it (mapped,
 * translated, NAT64, 6to4), else the address itself, without its zone.
 */
export function reachedAddress(address: string): string {
  const [bare = ''] = address.split('%');
  if (isIP(bare) !== 6) return bare;
  const groups = groupsOf(bare);
  const start = WRAPPERS.find(({ prefix }) => prefix.every((group, at) => groups[at] === group));
  if (start === undefined) return bare;
  const [high = 0, low = 0] = groups.slice(start.at);
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** The groups such an address begins with, and the group where the IPv4 address begins. */
const WRAPPERS: readonly { readonly prefix: readonly number[]; readonly at: number }[] = [
  { prefix: [0, 0, 0, 0, 0, 0xffff], at: 6 },
  { prefix: [0, 0, 0, 0, 0xffff, 0], at: 6 },
  { prefix: [0x64, 0xff9b, 0, 0, 0, 0], at: 6 },
  { prefix: [0x2002], at: 1 },
];

/** The eight numbers of an IPv6 address; the URL parser brings every spelling into one. */
function groupsOf(address: string): readonly number[] {
  const spelled = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = spelled.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = new Array<string>(8 - front.length - back.length).fill('0');
  return [...front, ...missing, ...back].map((group) => Number.parseInt(group, 16));
}
