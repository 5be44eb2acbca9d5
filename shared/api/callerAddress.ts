/** Determines the address of a caller behind trusted proxies (docs/operations.md#behind-a-proxy). */
import { BlockList, isIP } from 'node:net';
import { environment } from '#shared/core/environment.ts';

/**
 * Returns the address that a request counts against: the one that the gateway saw or, if that is a trusted proxy, the
 * last untrusted address in `X-Forwarded-For`. Proxies append the address of their client, so everything before the
 * last untrusted address can be forged.
 * @param gatewayAddress the address that the gateway saw
 * @param forwardedFor the header, if there is one
 */
export function callerAddress(gatewayAddress: string, forwardedFor: string | undefined): string {
  const proxies = trustedProxies();
  if (!proxies || forwardedFor === undefined) return gatewayAddress;
  const forwarded = forwardedFor.split(',').map(each => each.trim());
  let address = gatewayAddress;
  while (isTrusted(proxies, address)) {
    const before = forwarded.pop();
    // Falls back to the proxy itself if it reports no valid address.
    if (before === undefined || isIP(before) === 0) break;
    address = before;
  }
  return address;
}

/**
 * Parses networks as an operator writes them: `10.0.0.0/8,2001:db8::/32,192.0.2.7`.
 * @throws Error that names the invalid part
 */
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

/** Returns the parsed setting, which is cached. */
function trustedProxies(): BlockList | undefined {
  const text = environment.trustedProxies;
  if (text === undefined) return undefined;
  if (parsed?.text !== text) parsed = { text, networks: parseNetworks(text) };
  return parsed.networks;
}

const isTrusted = (proxies: BlockList, address: string) =>
  isIP(address) !== 0 && proxies.check(address, familyOf(address));
const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
