/** The code of a plugin for Node and for browsers: stored as objects, returned as text. */
import { gzipSync } from 'node:zlib';
import { ApiError, invalidPayload, notFound } from '#shared/core/errors.ts';
import type { Package } from '#shared/storage/dynamodb/integrations/packages.ts';

const KEYS = { node: 'codeKey', browser: 'browserCodeKey' } as const;
type Platform = keyof typeof KEYS;

/** Fits a compressed response within Lambda's 6 MB. */
const RESPONSE_BYTES = 4 * 1024 * 1024;

/** @throws ApiError LimitExceeded for code that exceeds a response */
export function requireCodeResponseSize(code: Partial<Record<Platform, string | undefined>> | undefined): void {
  for (const [platform, text = ''] of Object.entries(code ?? {})) {
    if (text.length * 3 <= RESPONSE_BYTES) continue;
    const bytes = gzipSync(JSON.stringify(text), { level: 1 }).length;
    if (bytes <= RESPONSE_BYTES) continue;
    const message = `code.${platform} may have at most ${RESPONSE_BYTES} bytes compressed, not ${bytes}.`;
    throw new ApiError('LimitExceeded', message, {
      metadata: { limitBytes: RESPONSE_BYTES, issues: [{ path: `code.${platform}`, message }] },
    });
  }
}

/** @throws ApiError InvalidPayload for an unknown platform, ResourceNotFound without code for it */
export async function readCode(plugin: Package, platform: string): Promise<string> {
  if (!Object.hasOwn(KEYS, platform)) throw invalidPayload('Must be node or browser', 'platform');
  const key = plugin[KEYS[platform as Platform]];
  if (key === undefined) throw notFound(`The code of the plugin ${plugin.id} for ${platform}`);
  const { getObject } = await import('#shared/storage/s3/objects.ts');
  return Buffer.from(await getObject(key)).toString();
}
