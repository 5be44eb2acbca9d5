/** The object store. Import it lazily: bundles carry this file beside the function and load it on first use. */
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { environment } from '#shared/environment.ts';

export const s3 = new S3Client({
  // The local object store serves all buckets from one host.
  forcePathStyle: Boolean(process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL),
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
});

export async function putObject(key: string, body: Uint8Array): Promise<void> {
  await s3.send(new PutObjectCommand({ Bucket: environment.bucketName, Key: key, Body: body }));
}

export async function getObject(key: string): Promise<Uint8Array> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: environment.bucketName, Key: key }));
  return Body!.transformToByteArray();
}

/** Succeeds if there is no such object. */
export async function deleteObject(key: string): Promise<void> {
  await s3.send(new DeleteObjectCommand({ Bucket: environment.bucketName, Key: key }));
}

/** @returns the object's bytes, undefined if there is none, or `tooLarge` (unread) if it exceeds the limit */
export async function findObject(key: string, limitBytes: number): Promise<Uint8Array | undefined | 'tooLarge'> {
  try {
    const { Body, ContentLength = 0 } = await s3.send(
      new GetObjectCommand({ Bucket: environment.bucketName, Key: key }),
    );
    if (ContentLength > limitBytes) {
      (Body as { destroy?(): void }).destroy?.();
      return 'tooLarge';
    }
    return await Body!.transformToByteArray();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** @returns the object's size in bytes; undefined if there is none */
export async function sizeOfObject(key: string): Promise<number | undefined> {
  try {
    const { ContentLength = 0 } = await s3.send(new HeadObjectCommand({ Bucket: environment.bucketName, Key: key }));
    return ContentLength;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export const isMissing = (error: unknown): boolean => error instanceof NotFound || error instanceof NoSuchKey;

/** Copies within the object store. @throws NoSuchKey */
export async function copyObject(from: string, to: string): Promise<void> {
  const { bucketName: Bucket } = environment;
  await s3.send(new CopyObjectCommand({ Bucket, Key: to, CopySource: `${Bucket}/${from}` }));
}

/** Deletes up to 1,000 objects below a prefix. @returns how many were deleted */
export async function deleteObjects(prefix: string): Promise<number> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: environment.bucketName, Prefix: prefix }));
  if (Contents.length === 0) return 0;
  const { Errors = [] } = await s3.send(
    new DeleteObjectsCommand({
      Bucket: environment.bucketName,
      Delete: { Objects: Contents.map(({ Key }) => ({ Key: Key! })), Quiet: true },
    }),
  );
  if (Errors.length > 0) throw new Error(`${Errors.length} objects were not deleted: ${Errors[0]!.Message}`);
  return Contents.length;
}
