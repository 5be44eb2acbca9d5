/** Tests that the origin is echoed, because browsers send credentials from any page (docs/api/conventions.md#cors). */
import { describe, expect, it } from 'vitest';
import { call, install, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const origin = 'https://shop.example';

describe('a browser', () => {
  it('receives a preflight response without a key', async () => {
    const { chatUrl } = await install();

    const { status, headers } = await call(`${chatUrl}/conversations/c/messages`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-user-key,x-newer-header',
      },
    });

    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'x-user-key,x-newer-header',
      'access-control-allow-methods': expect.stringContaining('DELETE'),
    });
  });

  it.each(['/users/me', '/no/such/route'])('can read the response of %s, even an error', async path => {
    const { chatUrl } = await install();

    const { headers } = await call(chatUrl + path, { headers: { origin } });

    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('vary')).toContain('Origin');
  });

  it('can read a successful response', async () => {
    const installation = await install();
    const { key } = await newUser(installation);

    const { status, headers } = await call(`${installation.chatUrl}/users/me`, { key, headers: { origin } });

    expect({ status, origin: headers.get('access-control-allow-origin') }).toEqual({ status: 200, origin });
  });
});
