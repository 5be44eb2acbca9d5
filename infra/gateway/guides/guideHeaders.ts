import { CONSOLE_HEADERS, consolePolicy } from '#infra/console/policy.ts';
import { compressedHeaders } from '#infra/gateway/static/compressedFile.ts';

/** Guides run no script and call nothing. */
export const GUIDE_HEADERS: Record<string, string> = {
  ...CONSOLE_HEADERS,
  ...compressedHeaders('text/html', 'no-cache'),
  'content-security-policy': consolePolicy({ called: [], shown: [] })
    .replace("script-src 'self'", "script-src 'none'")
    .replace("connect-src 'self'", "connect-src 'none'"),
};
