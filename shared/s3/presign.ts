/** Signed URLs of the object store. Loaded where one is made, like `objects.ts`. */
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { environment } from '#shared/environment.ts';
import { s3 } from './objects.ts';

/** A URL to which just so many bytes can be put until it expires. */
export const presignPut = (key: string, sizeBytes: number, expiresSeconds: number): Promise<string> =>
  getSignedUrl(s3, new PutObjectCommand({ Bucket: environment.bucketName, Key: key, ContentLength: sizeBytes }), {
    expiresIn: expiresSeconds,
    signableHeaders: new Set(['content-length']),
  });

/**
 * A URL to which one can put just so many bytes of this type until it expires; the upload may take longer.
 * @param tagging must be sent as `x-amz-tagging`, if given
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
      // As a header and not in the query: the client sends it.
      unhoistableHeaders: new Set(['x-amz-tagging']),
    },
  );

/** A URL from which anyone who has it can read a file until it expires. It is served from another origin than the API. */
export async function presignContent(
  key: string,
  { contentType, disposition }: { contentType: string; disposition: string },
  expiresSeconds: number,
): Promise<string> {
  const url = await getSignedUrl(
    s3,
    new GetObjectCommand({
      Bucket: environment.bucketName,
      Key: key,
      ResponseContentType: contentType,
      ResponseContentDisposition: disposition,
    }),
    { expiresIn: expiresSeconds },
  );
  const { contentBaseUrl } = environment;
  if (!contentBaseUrl) return url;
  // What stands there passes the request on to the object store, whose host is the one that was signed.
  const { pathname, search } = new URL(url);
  return `${contentBaseUrl}${pathname}${search}`;
}

/** A URL from which anyone who has it can read until it expires. */
export const presignGet = (key: string, contentType: string, expiresSeconds: number): Promise<string> =>
  getSignedUrl(
    s3,
    new GetObjectCommand({ Bucket: environment.bucketName, Key: key, ResponseContentType: contentType }),
    { expiresIn: expiresSeconds },
  );
