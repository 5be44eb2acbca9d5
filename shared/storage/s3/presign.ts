import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { environment } from '#shared/core/environment.ts';
import { dispositionOf } from './disposition.ts';
import { s3 } from './objects.ts';

/** Permits a PUT of exactly this size. Import lazily, like `objects.ts`. */
export const presignPut = (key: string, sizeBytes: number, expiresSeconds: number): Promise<string> =>
  getSignedUrl(s3, new PutObjectCommand({ Bucket: environment.bucketName, Key: key, ContentLength: sizeBytes }), {
    expiresIn: expiresSeconds,
    signableHeaders: new Set(['content-length']),
  });

/** Permits a PUT of this size and type, with `tagging` as `x-amz-tagging`. S3 only checks the expiry at the start. */
export const presignUpload = (
  key: string,
  { size, contentType, tagging }: { size: number; contentType: string; tagging: string | undefined },
  expiresSeconds: number,
): Promise<string> =>
  getSignedUrl(
    s3,
    new PutObjectCommand({
      Bucket: environment.bucketName,
      Key: key,
      ContentLength: size,
      ContentType: contentType,
      ...(tagging === undefined ? {} : { Tagging: tagging }),
    }),
    {
      expiresIn: expiresSeconds,
      signableHeaders: new Set(['content-length', 'content-type']),
      // Signed as a header, because the client sends it.
      unhoistableHeaders: new Set(['x-amz-tagging']),
    },
  );

/** The headers of the response. Browsers save the content as `name`. */
interface Form {
  contentType: string;
  name: string;
}

export const presignObject = (key: string, { contentType, name }: Form, expiresSeconds: number): Promise<string> =>
  getSignedUrl(
    s3,
    new GetObjectCommand({
      Bucket: environment.bucketName,
      Key: key,
      ResponseContentType: contentType,
      ResponseContentDisposition: dispositionOf(contentType, name),
    }),
    { expiresIn: expiresSeconds },
  );

/** Returns a URL of a file's content or an asset, on `CONTENT_BASE_URL` if it is set. */
export async function presignContent(key: string, form: Form, expiresSeconds: number): Promise<string> {
  const url = await presignObject(key, form, expiresSeconds);
  const { contentBaseUrl } = environment;
  if (!contentBaseUrl) return url;
  // The distribution forwards to S3, whose host is signed.
  const { pathname, search } = new URL(url);
  return `${contentBaseUrl}${pathname}${search}`;
}
