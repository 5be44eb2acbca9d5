import { BlockList, isIP } from 'node:net';
import { environment } from '#shared/core/environment.ts';

/** Header of requests that the deployment's own distribution forwards. */
export const EDGE_HEADER = 'x-parley-edge';

/**
 * Returns the last untrusted address behind the distribution and trusted proxies. Earlier entries of `X-Forwarded-For`
 * can be forged.
 * @param edgeKey value of {@link EDGE_HEADER}, which direct callers cannot guess
 */
export function callerAddress(
  gatewayAddress: string,
  forwardedFor: string | undefined,
  edgeKey: string | undefined,
): string {
  const proxies = trustedProxies();
  const isFromEdge = edgeKey !== undefined && edgeKey === environment.edgeKey;
  if ((!proxies && !isFromEdge) || forwardedFor === undefined) return gatewayAddress;
  const forwarded = forwardedFor.split(',').map(each => each.trim());
  let address = gatewayAddress;
  if (isFromEdge) {
    // API Gateway appends the address of the distribution to that of the viewer.
    if (forwarded.at(-1) === gatewayAddress) forwarded.pop();
    const viewer = forwarded.pop();
    if (viewer === undefined || isIP(viewer) === 0) return gatewayAddress;
    address = viewer;
  }
  while (proxies && isTrusted(proxies, address)) {
    const before = forwarded.pop();
    if (before === undefined || isIP(before) === 0) break;
    address = before;
  }
  return address;
}

/** Parses a list such as `10.0.0.0/8,2001:db8::/32`. @throws Error that names the invalid part */
export function parseNetworks(text: string): BlockList {
  const networks = new BlockList();
  for (const part of text.split(',')) {
    const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(part.trim()) ?? [];
    const version = isIP(address);
    const bits = version === 6 ? 128 : 32;
    const length = prefix === undefined ? bits : Number(prefix);
    if (version === 0 || length > bits || length < MIN_PREFIX) {
      throw new Error(
        `"${part}" is not a network. Write networks like 10.0.0.0/8 or 2001:db8::/32, separated by commas.`,
      );
    }
    networks.addSubnet(address, length, familyOf(address));
  }
  return networks;
}

/** `0.0.0.0/0` would trust the header of every caller. */
const MIN_PREFIX = 8;

let parsed: { text: string; networks: BlockList } | undefined;

function trustedProxies(): BlockList | undefined {
  const text = environment.trustedProxies;
  if (text === undefined) return undefined;
  if (parsed?.text !== text) parsed = { text, networks: parseNetworks(text) };
  return parsed.networks;
}

const isTrusted = (proxies: BlockList, address: string) =>
  isIP(address) !== 0 && proxies.check(address, familyOf(address));
const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
