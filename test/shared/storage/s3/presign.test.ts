/** Tests that presigned URLs fit the services that receive them. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { contentType, KEY_BYTES } from '#shared/domain/fileRecords/fileRecordInputs.ts';
import { newFileObject, newUploadObject } from '#shared/storage/s3/prefixes.ts';

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html */
const CLOUDFRONT_URL = 8_192;
/** The length of session tokens is not documented. Lambda's have below 2,000 characters. */
const TOKEN = randomBytes(3_000).toString('base64');
const BOT = '3f2a9c40-aa00-41f0-9e44-0a1b2c3d4e5f';
const FILE = `file_${'A'.repeat(24)}`;
const CONTENT_TYPE = `text/plain;${'%'.repeat(244)}`;
const BUCKET = `parley-${'b'.repeat(56)}`;

beforeEach(() => {
  vi.resetModules();
  for (const [name, value] of Object.entries({
    AWS_ACCESS_KEY_ID: `ASIA${'A'.repeat(16)}`,
    AWS_SECRET_ACCESS_KEY: 's'.repeat(40),
    AWS_SESSION_TOKEN: TOKEN,
    AWS_REGION: 'ap-southeast-2',
    AWS_ENDPOINT_URL: undefined,
    AWS_ENDPOINT_URL_S3: undefined,
    BUCKET_NAME: BUCKET,
    CONTENT_BASE_URL: `https://${'files.'.repeat(40)}example.com`,
  }))
    vi.stubEnv(name, value);
});
afterEach(() => vi.unstubAllEnvs());

const filled = (unit: string) => unit.repeat(Math.floor(KEY_BYTES / Buffer.byteLength(unit)));

it.each(['字', 'é', '😀', "'", "é'''''", '価(', 'x', '%41', '字.'])(
  'returns a content URL below the limit of CloudFront for the longest name of %s',
  async unit => {
    const { presignContent } = await import('#shared/storage/s3/presign.ts');
    expect(contentType().safeParse(CONTENT_TYPE).success).toBe(true);

    const form = { contentType: CONTENT_TYPE, name: filled(unit) };
    const url = await presignContent(newFileObject(BOT, FILE), form, 3_600);

    expect(new URL(url).searchParams.get('X-Amz-Security-Token')).toBe(TOKEN);
    expect(url.length).toBeLessThan(CLOUDFRONT_URL);
  },
);

it('returns an upload URL without the name and the tags, which are headers', async () => {
  const { presignUpload } = await import('#shared/storage/s3/presign.ts');
  const object = newUploadObject(BOT, FILE);

  const upload = { size: 1024 ** 3, contentType: CONTENT_TYPE, tagging: 'public=true' };
  const url = new URL(await presignUpload(object, upload, 3_600));

  expect([url.hostname, url.pathname]).toEqual([`${BUCKET}.s3.ap-southeast-2.amazonaws.com`, `/${object}`]);
  expect([...url.searchParams.keys()].filter(name => !/^(?:X-Amz-|x-amz-checksum|x-id)/.test(name))).toEqual([]);
  expect(url.href.length).toBeLessThan(CLOUDFRONT_URL);
});
