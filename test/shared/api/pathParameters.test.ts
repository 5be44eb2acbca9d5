/** Tests path parameters of recorded events. */
import { describe, expect, it } from 'vitest';
import { pathAfterRoute, pathParametersOf } from '#shared/api/pathParameters.ts';

const FILE = '/v1/files/{p1}';

describe("a path's variable", () => {
  it.each([
    ['an encoded slash and space', 'reports%2F2026%20Q1.pdf', 'reports/2026 Q1.pdf'],
    ['characters that a path may contain', "a+b@c:d!$&'()*,;=", "a+b@c:d!$&'()*,;="],
    ['a percent sign that was encoded once', '100%25', '100%'],
    ['an encoding that was encoded itself', 'a%252Fb', 'a%2Fb'],
    ['text beyond ASCII', '%E2%82%AC%F0%9F%98%80', '€😀'],
    ['dots', '..', '..'],
  ])('is decoded once: %s', (_, segment, value) => {
    const path = `/v1/files/${segment}`;

    for (const given of [segment, value, undefined]) {
      const pathParameters = given === undefined ? null : { p1: given };
      expect(pathParametersOf({ resource: FILE, path, pathParameters }), `pathParameters of ${given}`).toEqual({
        p1: value,
      });
    }
  });

  it.each(['%', '%2', '%zz', '%E2%82', '%ED%A0%80'])('returns 400 for the malformed encoding %s', segment => {
    const event = { resource: FILE, path: `/v1/files/a${segment}`, pathParameters: { p1: `a${segment}` } };

    expect(() => pathParametersOf(event)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringContaining('percent-encoding') }),
    );
  });

  it.each([
    ['under a base path of a custom domain', '/bots/eu/v1/files/a%2Fb'],
    ['with a slash at the end', '/v1/files/a%2Fb/'],
    ['with both', '/bots/v1/files/a%2Fb/'],
  ])('is extracted %s', (_, path) => {
    expect(pathParametersOf({ resource: FILE, path, pathParameters: null })).toEqual({ p1: 'a/b' });
  });

  it('is extracted from several, between fixed segments', () => {
    const event = {
      resource: '/{webhookId}/conversations/{p1}/participants/{p2}',
      path: '/hook/conversations/convo%231/participants/user%2F2',
      pathParameters: null,
    };

    expect(pathParametersOf(event)).toEqual({ webhookId: 'hook', p1: 'convo#1', p2: 'user/2' });
  });
});

describe('the rest of a path after a route', () => {
  const id = '0b2f9c1e-6a53-4f0e-9d59-0c8f4a1b7e66';

  it.each([
    ['', ''],
    ['', '/'],
    ['/base', '/orders'],
    ['/base/two', '/orders/a%2Fb/'],
    ['', '//'],
  ])('is forwarded unchanged: %s/{webhookId}%s', (base, rest) => {
    const isLong = rest.length > 1;
    const event = {
      resource: isLong ? '/{webhookId}/{rest+}' : '/{webhookId}',
      path: `${base}/${id}${rest}`,
      pathParameters: isLong ? { webhookId: id, rest: rest.slice(1) } : { webhookId: id },
    };

    expect(pathParametersOf(event)).toEqual({ webhookId: id });
    expect(pathAfterRoute(event)).toBe(rest);
  });

  it('is distinguished from a base path that looks like a webhook', () => {
    const event = {
      resource: '/{webhookId}/{rest+}',
      path: `/oauth/${id}/callback`,
      pathParameters: { webhookId: id, rest: 'callback' },
    };

    expect(pathParametersOf(event)).toEqual({ webhookId: id });
    expect(pathAfterRoute(event)).toBe('/callback');
  });
});
