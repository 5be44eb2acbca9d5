import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { environment } from '#shared/core/environment.ts';
import { isMissing, s3, sizeOfObject } from './objects.ts';

/** S3's minimum for every part but the last. */
export const MIN_PART_BYTES = 5 * 1024 * 1024;

export interface Part {
  number: number;
  etag: string;
  size: number;
}

export async function startUpload(key: string): Promise<string> {
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket: environment.bucketName, Key: key }));
  return UploadId!;
}

/** @param number the part's position, from 1 to 10,000; gaps are allowed */
export async function putPart(key: string, uploadId: string, number: number, body: Uint8Array): Promise<Part> {
  const { ETag } = await s3.send(
    new UploadPartCommand({
      Bucket: environment.bucketName,
      Key: key,
      UploadId: uploadId,
      PartNumber: number,
      Body: body,
    }),
  );
  return { number, etag: ETag!, size: body.length };
}

export async function completeUpload(key: string, uploadId: string, parts: readonly Part[]): Promise<void> {
  const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
  try {
    await s3.send(
      new CompleteMultipartUploadCommand({
        Bucket: environment.bucketName,
        Key: key,
        UploadId: uploadId,
        MultipartUpload: { Parts },
      }),
    );
  } catch (error) {
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    if ((await sizeOfObject(key)) !== size) throw error;
  }
}

export async function abortUpload(key: string, uploadId: string): Promise<void> {
  await s3
    .send(new AbortMultipartUploadCommand({ Bucket: environment.bucketName, Key: key, UploadId: uploadId }))
    .catch(error => {
      if (error.name !== 'NoSuchUpload') throw error;
    });
}

const READ_BYTES = 4 * 1024 * 1024;

/** Reads in chunks of megabytes, so that a slow consumer holds no connection open. @throws ObjectGoneError */
export async function* readInParts(key: string, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; at += READ_BYTES) {
    const Range = `bytes=${at}-${Math.min(size, at + READ_BYTES) - 1}`;
    try {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: environment.bucketName, Key: key, Range }));
      yield Buffer.from(await Body!.transformToByteArray());
    } catch (error) {
      throw isMissing(error) ? new ObjectGoneError() : error;
    }
  }
}

export class ObjectGoneError extends Error {
  override readonly name = 'ObjectGoneError';
}
