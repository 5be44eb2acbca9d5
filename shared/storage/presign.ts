/** Signed URLs of the object store. Loaded where one is made, like `objects.ts`. */
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { environment } from '../environment.ts';
import { s3 } from './objects.ts';

/** A URL to which just so many bytes can be put until it expires. */
export const presignPut = (key: string, sizeBytes: number, expiresSeconds: number): Promise<string> =>
  getSignedUrl(s3, new PutObjectCommand({ Bucket: environment.bucketName, Key: key, ContentLength: sizeBytes }), {
    expiresIn: expiresSeconds,
    signableHeaders: new Set(['content-length']),
  });

/** A URL from which anyone who has it can read until it expires. */
export const presignGet = (key: string, contentType: string, expiresSeconds: number): Promise<string> =>
  getSignedUrl(
    s3,
    new GetObjectCommand({ Bucket: environment.bucketName, Key: key, ResponseContentType: contentType }),
    { expiresIn: expiresSeconds },
  );
