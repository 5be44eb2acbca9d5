/** Icons, readmes and code: files that come inside a request and leave as the URL of an object. */
import { invalidPayload } from '#shared/errors.ts';
import { newAssetKey } from '#shared/s3/assets.ts';

/** How long a URL that was handed out works. */
const URL_SECONDS = 3600;

const CONTENT_TYPES: Record<string, string> = {
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
};

/** A URL of an asset that works for an hour; empty when there is none. */
export async function assetUrl(key: string | undefined): Promise<string> {
  if (key === undefined) return '';
  const { presignGet } = await import('#shared/s3/presign.ts');
  return presignGet(key, CONTENT_TYPES[key.split('.').at(-1)!] ?? 'application/octet-stream', URL_SECONDS);
}

/** Stores a text as it is. @returns its key */
export async function storeText(tenant: string, value: string): Promise<string> {
  const { putObject } = await import('#shared/s3/objects.ts');
  const key = newAssetKey(tenant);
  await putObject(key, Buffer.from(value));
  return key;
}

/** Stores what came in base 64, as the ecosystem's tools send icons and readmes. @returns its key */
async function storeBase64(tenant: string, field: 'icon' | 'readme', value: string): Promise<string> {
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(value)) throw invalidPayload('Must be base 64.', field);
  const { putObject } = await import('#shared/s3/objects.ts');
  const bytes = Buffer.from(value, 'base64');
  const isPng = bytes.subarray(1, 4).toString() === 'PNG';
  const key = `${newAssetKey(tenant)}.${field === 'readme' ? 'md' : isPng ? 'png' : 'svg'}`;
  await putObject(key, bytes);
  return key;
}

/** Stores what an integration brings of these. @returns the keys of what was given */
export async function storeAssets(
  tenant: string,
  { icon, readme, code }: { icon?: string | undefined; readme?: string | undefined; code?: string | undefined },
): Promise<{ iconKey?: string; readmeKey?: string; codeKey?: string }> {
  return {
    ...(icon === undefined ? {} : { iconKey: await storeBase64(tenant, 'icon', icon) }),
    ...(readme === undefined ? {} : { readmeKey: await storeBase64(tenant, 'readme', readme) }),
    ...(code === undefined ? {} : { codeKey: await storeText(tenant, code) }),
  };
}
