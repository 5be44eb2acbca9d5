import { expect, it } from 'vitest';
import { consolePolicy } from '#infra/console/policy.ts';

it('permits only its own scripts and the listed origins', () => {
  const policy = consolePolicy({ called: ['https://api.example.com'], shown: ['https://files.example.com'] });

  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    "connect-src 'self' https://api.example.com",
    "img-src 'self' data: https://files.example.com",
    "media-src 'self' https://files.example.com",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
});
