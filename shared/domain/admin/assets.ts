/** Icons, readmes and code: uploaded within a request, returned as the URL of an object. */

import { invalidPayload } from '#shared/core/errors.ts';
import { putStagedObject, stageObject } from '#shared/storage/dynamodb/engine/stagedObjects.ts';
import { WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { newAssetKey } from '#shared/storage/s3/prefixes.ts';

const URL_SECONDS = 3600;

/** By the extension of the key. An <img> also shows attachments. An SVG opened directly could run scripts. */
const ASSETS: Record<string, { name: string; contentType: string }> = {
  md: { name: 'readme.md', contentType: 'text/markdown; charset=utf-8' },
  png: { name: 'icon.png', contentType: 'image/png' },
  svg: { name: 'icon.svg', contentType: 'image/svg+xml' },
};

/** Returns a presigned URL that is valid for an hour, or an empty string without an asset. */
export async function assetUrl(key: string | undefined): Promise<string> {
  if (key === undefined) return '';
  const { presignContent } = await import('#shared/storage/s3/presign.ts');
  return presignContent(key, ASSETS[key.split('.').at(-1)!]!, URL_SECONDS);
}

/** Stores a text before the write that refers to it. Returns its key. */
export async function storeText(tenant: string, value: string): Promise<string> {
  const key = newAssetKey(tenant);
  await putStagedObject(key, Buffer.from(value));
  return key;
}

/** Returns a presigned URL of code that is valid for an hour, or an empty string without code. */
export async function codeUrl(key: string | undefined): Promise<string> {
  if (key === undefined) return '';
  const { presignContent } = await import('#shared/storage/s3/presign.ts');
  return presignContent(key, { name: 'code.cjs', contentType: 'text/javascript; charset=utf-8' }, URL_SECONDS);
}

/**
 * Copies an asset before the write that refers to the copy, because an object belongs to one record. Returns its key.
 * @throws WriteConflict if a concurrent change replaced the asset
 */
export async function copyAsset(tenant: string, key: string): Promise<string> {
  const copy = newAssetKey(tenant);
  await stageObject(copy);
  const { copyObject, isMissing } = await import('#shared/storage/s3/objects.ts');
  try {
    await copyObject(key, copy);
  } catch (error) {
    throw isMissing(error) ? new WriteConflict() : error;
  }
  return copy;
}

export function requireAssets({ icon, readme }: { icon?: string | undefined; readme?: string | undefined }): void {
  for (const [field, value] of Object.entries({ icon, readme })) {
    if (value !== undefined && !/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(value))
      throw invalidPayload('Must be base64.', field);
  }
}

/** Stores base64, the format of the ecosystem's tools. Returns the key. */
async function storeBase64(tenant: string, field: 'icon' | 'readme', value: string): Promise<string> {
  requireAssets({ [field]: value });
  const bytes = Buffer.from(value, 'base64');
  const isPng = bytes.subarray(1, 4).toString() === 'PNG';
  const key = `${newAssetKey(tenant)}.${field === 'readme' ? 'md' : isPng ? 'png' : 'svg'}`;
  await putStagedObject(key, bytes);
  return key;
}

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
