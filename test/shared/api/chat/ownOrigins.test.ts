import { afterEach, expect, it, vi } from 'vitest';
import { ownOrigins } from '#shared/api/chat/requireOrigin.ts';
import { VARIABLES } from '#shared/core/environment.ts';

afterEach(() => vi.unstubAllEnvs());

const eventOf = (apiId: string | undefined, host: string) => ({
  headers: { host },
  requestContext: { apiId, domainName: host } as never,
});

it('returns the domain of API Gateway and the configured origins, and never the requested host', () => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv(VARIABLES.urlSuffix, 'amazonaws.com');
  const ofGateway = 'https://abcdefghij.execute-api.eu-central-1.amazonaws.com';

  const withoutDomain = ownOrigins(eventOf('abcdefghij', 'evil.example'));
  vi.stubEnv(VARIABLES.chatOrigins, 'https://chat.example.com');
  const withDomain = ownOrigins(eventOf('abcdefghij', 'evil.example'));
  const local = ownOrigins(eventOf(undefined, 'evil.example'));

  expect(withoutDomain).toEqual([ofGateway]);
  expect(withDomain).toEqual(['https://chat.example.com', ofGateway]);
  expect(local).toEqual(['https://chat.example.com']);
});
