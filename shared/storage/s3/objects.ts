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
import { environment } from '#shared/core/environment.ts';
import { sdkLogger } from '#shared/core/sdkLogger.ts';

export const s3 = new S3Client({
  logger: sdkLogger,
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

/** The bytes of an object as they come. @returns undefined if there is none */
export async function findObjectStream(key: string): Promise<AsyncIterable<Uint8Array> | undefined> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: environment.bucketName, Key: key }));
    return Body as unknown as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Puts a file, without reading it into memory. */
export async function putFileObject(key: string, path: string, sizeBytes: number): Promise<void> {
  const { open } = await import('node:fs/promises');
  // Opened here: a stream that opens later, when nobody waits for it any more, would end the process if the file is
  // gone.
  const file = await open(path);
  try {
    const input = { Bucket: environment.bucketName, Key: key, Body: file.createReadStream(), ContentLength: sizeBytes };
    await s3.send(new PutObjectCommand(input));
  } finally {
    await file.close();
  }
}

/** Succeeds if there is no such object. */
export async function deleteObject(key: string): Promise<void> {
  await s3.send(new DeleteObjectCommand({ Bucket: environment.bucketName, Key: key }));
}

/** Deletes an object with this key. @returns whether there was one */
export async function deleteObjectIfThere(key: string): Promise<boolean> {
  // A list and not a head: it needs no right to read objects.
  const { Contents = [] } = await s3.send(
    new ListObjectsV2Command({ Bucket: environment.bucketName, Prefix: key, MaxKeys: 1 }),
  );
  // The first key in order is the prefix itself, if it is there.
  if (Contents[0]?.Key !== key) return false;
  await deleteObject(key);
  return true;
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
export const sizeOfObject = async (key: string): Promise<number | undefined> => (await headObject(key))?.sizeBytes;

/** @returns the object's size and the ETag of its bytes; undefined if there is none */
export async function headObject(key: string): Promise<{ sizeBytes: number; etag: string } | undefined> {
  try {
    const { ContentLength = 0, ETag = '' } = await s3.send(
      new HeadObjectCommand({ Bucket: environment.bucketName, Key: key }),
    );
    return { sizeBytes: ContentLength, etag: ETag };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export const isMissing = (error: unknown): boolean => error instanceof NotFound || error instanceof NoSuchKey;

/**
 * Copies within the object store.
 * @param etag of the bytes to copy; other bytes are refused
 * @throws NoSuchKey, or an error that {@link isChanged}
 */
export async function copyObject(from: string, to: string, etag?: string): Promise<void> {
  const { bucketName: Bucket } = environment;
  await s3.send(
    new CopyObjectCommand({
      Bucket,
      Key: to,
      CopySource: `${Bucket}/${from}`,
      ...(etag === undefined ? {} : { CopySourceIfMatch: etag }),
      // Drops the tags that the upload was sent with: copying them would need the right to read and write tags.
      TaggingDirective: 'REPLACE',
    }),
  );
}

/** Whether a copy was refused because the source has other bytes by now. */
export const isChanged = (error: unknown): boolean => error instanceof Error && error.name === 'PreconditionFailed';

/** Deletes up to 1,000 objects below a prefix. @param needed keys that stay @returns how many were deleted */
export async function deleteObjects(
  prefix: string,
  needed: Pick<ReadonlySet<string>, 'has'> = new Set(),
): Promise<number> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: environment.bucketName, Prefix: prefix }));
  const keys = Contents.map(({ Key }) => Key!).filter(key => !needed.has(key));
  if (keys.length === 0) return 0;
  const { Errors = [] } = await s3.send(
    new DeleteObjectsCommand({
      Bucket: environment.bucketName,
      Delete: { Objects: keys.map(Key => ({ Key })), Quiet: true },
    }),
  );
  if (Errors.length > 0) throw new Error(`${Errors.length} objects were not deleted: ${Errors[0]!.Message}`);
  return keys.length;
}
