/** Presigned URLs of the object store. Import it lazily, like `objects.ts`. */
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { environment } from '#shared/core/environment.ts';
import { s3 } from './objects.ts';

/** A URL to PUT an object of exactly this size. */
export const presignPut = (key: string, sizeBytes: number, expiresSeconds: number): Promise<string> =>
  getSignedUrl(s3, new PutObjectCommand({ Bucket: environment.bucketName, Key: key, ContentLength: sizeBytes }), {
    expiresIn: expiresSeconds,
    signableHeaders: new Set(['content-length']),
  });

/**
 * A URL to PUT an object of exactly this size and type. S3 checks the expiry when the request starts: the transfer may
 * take longer.
 * @param tagging the client must send it as `x-amz-tagging`
 */
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
      // Signed as a header instead of a query parameter, since the client sends it.
      unhoistableHeaders: new Set(['x-amz-tagging']),
    },
  );

interface Form {
  contentType: string;
  disposition: string;
}

/** A URL to read an object from the object store itself. */
export const presignObject = (
  key: string,
  { contentType, disposition }: Form,
  expiresSeconds: number,
): Promise<string> =>
  getSignedUrl(
    s3,
    new GetObjectCommand({
      Bucket: environment.bucketName,
      Key: key,
      ResponseContentType: contentType,
      ResponseContentDisposition: disposition,
    }),
    { expiresIn: expiresSeconds },
  );

/** A URL to read a file's content or an asset, on another origin than the API's if `CONTENT_BASE_URL` is set. */
export async function presignContent(key: string, form: Form, expiresSeconds: number): Promise<string> {
  const url = await presignObject(key, form, expiresSeconds);
  const { contentBaseUrl } = environment;
  if (!contentBaseUrl) return url;
  // The distribution behind this URL forwards to S3, whose host is the signed one.
  const { pathname, search } = new URL(url);
  return `${contentBaseUrl}${pathname}${search}`;
}
