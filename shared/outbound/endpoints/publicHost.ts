/** Checks hosts of URLs before a call. A call also rejects names that resolve to private addresses. */
import { BlockList, isIP } from 'node:net';

/** Special-purpose addresses (RFC 6890). */
const NOT_PUBLIC = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  NOT_PUBLIC.addSubnet(network, bits, 'ipv4');
}

/** Globally routable unicast, except addresses that embed IPv4. */
const PUBLIC_V6 = new BlockList();
PUBLIC_V6.addSubnet('2000::', 3, 'ipv6');
const TUNNELS_V6 = new BlockList();
TUNNELS_V6.addSubnet('2001::', 32, 'ipv6');
TUNNELS_V6.addSubnet('2002::', 16, 'ipv6');

/** @param host normalized by the URL parser */
export function isPublicHost(host: string): boolean {
  const address = host.startsWith('[') ? host.slice(1, -1) : host;
  if (isIP(address) === 4) return !NOT_PUBLIC.check(address);
  if (isIP(address) === 6) return PUBLIC_V6.check(address, 'ipv6') && !TUNNELS_V6.check(address, 'ipv6');
  const name = address.replace(/\.$/, '');
  return name.includes('.') && !/\.(?:localhost|local|internal|lan|home\.arpa)$/.test(name);
}
