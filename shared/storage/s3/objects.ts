/** Import lazily: bundles carry this file separately, and load it on first use. */

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

export async function findObjectStream(key: string): Promise<AsyncIterable<Uint8Array> | undefined> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: environment.bucketName, Key: key }));
    return Body as unknown as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Stores a file without reading it into memory. @param condition rejects with an error that {@link isChanged} */
export async function putFileObject(
  key: string,
  path: string,
  sizeBytes: number,
  condition: { IfNoneMatch?: '*' } = {},
): Promise<void> {
  const { open } = await import('node:fs/promises');
  // Opened here, because a stream that fails to open after its consumer has left would crash the process.
  const file = await open(path);
  try {
    const Body = file.createReadStream();
    const input = { Bucket: environment.bucketName, Key: key, Body, ContentLength: sizeBytes, ...condition };
    await s3.send(new PutObjectCommand(input));
  } finally {
    await file.close();
  }
}

/** Like {@link putFileObject}, but returns false without writing if the object exists. */
export async function putNewFileObject(key: string, path: string, sizeBytes: number): Promise<boolean> {
  try {
    await putFileObject(key, path, sizeBytes, { IfNoneMatch: '*' });
    return true;
  } catch (error) {
    if (isChanged(error)) return false;
    throw error;
  }
}

export async function deleteObject(key: string): Promise<void> {
  await s3.send(new DeleteObjectCommand({ Bucket: environment.bucketName, Key: key }));
}

/** Returns false if there was no object. */
export async function deleteObjectIfExists(key: string): Promise<boolean> {
  // Listing, unlike a HEAD request, does not require read access to objects.
  const { Contents = [] } = await s3.send(
    new ListObjectsV2Command({ Bucket: environment.bucketName, Prefix: key, MaxKeys: 1 }),
  );
  // The prefix itself sorts first.
  if (Contents[0]?.Key !== key) return false;
  await deleteObject(key);
  return true;
}

/** Returns undefined for a missing object, and `tooLarge` without reading one above the limit. */
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

export const sizeOfObject = async (key: string): Promise<number | undefined> => (await headObject(key))?.sizeBytes;

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
 * Copies the bytes within the store, without headers and tags that their uploader set.
 * @param etag rejects other bytes
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
      // A signed upload permits further headers, such as Content-Encoding, which every download would return.
      MetadataDirective: 'REPLACE',
      // Copying tags would require access to tags.
      TaggingDirective: 'REPLACE',
    }),
  );
}

export const isChanged = (error: unknown): boolean => error instanceof Error && error.name === 'PreconditionFailed';

/** Deletes up to 1,000 objects. Returns their number. @param needed keys to keep */
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
