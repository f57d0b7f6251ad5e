import { BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Returns the caller's address in one spelling. An address that a trusted proxy names in no way that can be read counts
 * as the proxy's own, so that no caller escapes the limits by it.
 */
export function addressOf(request: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  return readAddress(request.ip) ?? readAddress(request.socket.remoteAddress ?? '') ?? '';
}

/**
 * Reads an address as proxies write it: `1.2.3.4:5678`, `[2001:db8::1]:443`, `fe80::1%eth0`, quoted, or IPv4 mapped to
 * IPv6 in any spelling. Returns null for anything else.
 */
function readAddress(text: string): string | null {
  const bare = text.trim().replace(/^"(.*)"$/, '$1');
  const [, bracketed, v4] = /^\[([^\]]*)\](?::\d*)?$|^([\d.]+):\d*$/.exec(bare) ?? [];
  const address = (bracketed ?? v4 ?? bare).replace(/%.*$/, '');
  if (!isIP(address)) return null;
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 6).join() === '0,0,0,0,0,65535') return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return groups.map((group) => group.toString(16)).join(':');
}

/** Returns the network of an address of `addressOf`: for IPv6 the /64, which a household usually has. */
export function networkOf(address: string): string {
  return isIPv6(address) ? address.split(':').slice(0, 4).join(':') : address;
}

/** Returns the eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL parser writes it in the short form, without a dotted end.
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail = ''] = short.split('::');
  const [first, last] = [head, tail].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
  const gap = Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...gap, ...last].map((group) => Number.parseInt(group, 16));
}

/** Returns Fastify's `trustProxy`. Hops count from the nearest proxy. */
export function trustedProxies(
  proxies: false | number | readonly string[],
): false | ((address: string, hop: number) => boolean) {
  if (proxies === false) return false;
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (text) => {
    const address = readAddress(text);
    return address !== null && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  };
}
