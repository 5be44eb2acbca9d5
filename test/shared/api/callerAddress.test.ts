/** Tests the address that limits count a request for. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callerAddress, parseNetworks } from '#shared/api/callerAddress.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { call, install, isLeftOut, useSharedPlatform } from '#test/support/platform.ts';
import { stopClockInOwnWindow } from '#test/support/time.ts';

useSharedPlatform();

const trust = (networks: string) => vi.stubEnv(VARIABLES.trustedProxies, networks);
afterEach(() => vi.unstubAllEnvs());

describe('the address of a caller', () => {
  it("is the gateway's without trusted proxies, regardless of the header", () => {
    expect(callerAddress('203.0.113.9', '198.51.100.1', undefined)).toBe('203.0.113.9');
  });

  it.each([
    ['named by a trusted proxy', '10.0.0.5', '198.51.100.1', '198.51.100.1'],
    ['named to a chain of them', '10.0.0.5', '198.51.100.1, 10.0.0.7', '198.51.100.1'],
    [
      'the last untrusted one, not what the caller wrote before it',
      '10.0.0.5',
      '1.1.1.1, 198.51.100.1',
      '198.51.100.1',
    ],
    ["the gateway's, which API Gateway appends", '10.0.0.5', '198.51.100.1, 10.0.0.5', '198.51.100.1'],
    ['its own, where the caller is no trusted proxy', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['of version 6', '2001:db8:1::5', '2001:db8:f::1', '2001:db8:f::1'],
    ["the proxy's, where it names none", '10.0.0.5', undefined, '10.0.0.5'],
    ["the proxy's, where it names no address", '10.0.0.5', 'unknown', '10.0.0.5'],
    ['the first, where all are trusted', '10.0.0.5', '10.0.0.8, 10.0.0.7', '10.0.0.8'],
    ["the gateway's, where that is no address", '', '198.51.100.1', ''],
  ])('is %s', (_, gateway, header, expected) => {
    trust('10.0.0.0/8,2001:db8:1::/48');

    expect(callerAddress(gateway, header, undefined)).toBe(expected);
  });

  it.each(['10.0.0.0/33', '10.0.0', 'example.com', '10.0.0.0/8,', '0.0.0.0/0', '::/0', '10.0.0.0/-1', ''])(
    'rejects %j as a network, and names the invalid part',
    text => {
      expect(() => parseNetworks(text)).toThrow(/is not a network\. Write networks like 10\.0\.0\.0\/8/);
    },
  );
});

describe('the address of a caller behind the distribution', () => {
  const EDGE_KEY = '51b7d310-aa00-11f0-8c11-0e5f4d3c2b1a';
  const EDGE = '130.176.0.9';
  beforeEach(() => vi.stubEnv(VARIABLES.edgeKey, EDGE_KEY));

  it.each([
    ['that it appended', `198.51.100.1, ${EDGE}`, '198.51.100.1'],
    ['that it appended, where API Gateway appends none', '198.51.100.1', '198.51.100.1'],
    ['that it appended, not what the caller wrote before it', `1.1.1.1, 198.51.100.1, ${EDGE}`, '198.51.100.1'],
    ['of version 6', `2001:db8:f::1, ${EDGE}`, '2001:db8:f::1'],
    ["the distribution's, where it names none", undefined, EDGE],
    ["the distribution's, where it names no address", `unknown, ${EDGE}`, EDGE],
  ])('is the one %s', (_, header, expected) => {
    expect(callerAddress(EDGE, header, EDGE_KEY)).toBe(expected);
  });

  it.each([undefined, '', '51b7d310', `${EDGE_KEY} `])("is the caller's own with the key %j", key => {
    expect(callerAddress('203.0.113.9', '198.51.100.1, 203.0.113.9', key)).toBe('203.0.113.9');
  });

  it("is the caller's own in a deployment without a distribution", () => {
    vi.stubEnv(VARIABLES.edgeKey, undefined);

    expect(callerAddress('203.0.113.9', '198.51.100.1', undefined)).toBe('203.0.113.9');
  });

  it.each([
    ['the last untrusted one behind a trusted proxy', `1.1.1.1, 198.51.100.1, 10.0.0.7, ${EDGE}`, '198.51.100.1'],
    ["the viewer's, where that is no trusted proxy", `198.51.100.1, 203.0.113.9, ${EDGE}`, '203.0.113.9'],
  ])('is %s', (_, header, expected) => {
    trust('10.0.0.0/8');

    expect(callerAddress(EDGE, header, EDGE_KEY)).toBe(expected);
  });
});

describe.skipIf(isLeftOut('settings'))('callers behind a proxy', () => {
  beforeEach(() => vi.stubEnv(VARIABLES.rateLimits, JSON.stringify({ anonymousWrites: 2 })));

  const signUp = async (chatUrl: string, address: string) =>
    (await call(`${chatUrl}/users`, { method: 'POST', body: {}, headers: { 'x-forwarded-for': address } })).status;
  /** Returns unused addresses per test, whose windows are empty. */
  const addresses = (network: string) => [1, 2, 3].map(each => `${network}.${each}`);

  it('has a separate limit', async () => {
    const { chatUrl } = await install();
    trust('127.0.0.0/8');

    const statuses: number[] = [];
    for (const address of addresses('198.51.100')) {
      statuses.push(await signUp(chatUrl, address), await signUp(chatUrl, address));
    }

    expect(statuses).toEqual([201, 201, 201, 201, 201, 201]);
  });

  it("has a limit of its own behind the deployment's distribution, and cannot forge another address", async () => {
    const { chatUrl } = await install();
    vi.stubEnv(VARIABLES.edgeKey, 'key-of-the-edge');
    stopClockInOwnWindow();

    const statuses: number[] = [];
    for (const key of ['key-of-the-edge', 'forged']) {
      for (const address of addresses('198.51.101')) {
        const headers = { 'x-forwarded-for': address, 'x-parley-edge': key };
        statuses.push((await call(`${chatUrl}/users`, { method: 'POST', body: {}, headers })).status);
      }
    }

    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  });

  it('shares a limit where the proxy is not trusted', async () => {
    const { chatUrl } = await install();
    trust('192.0.2.0/24');
    stopClockInOwnWindow();

    const statuses: number[] = [];
    for (const address of addresses('203.0.113')) statuses.push(await signUp(chatUrl, address));

    expect(statuses).toEqual([201, 201, 429]);
  });
});
