/** Big objects, written and read in parts. Bundled into the one function that does so. */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { environment } from '#shared/environment.ts';
import { isMissing, s3, sizeOfObject } from './objects.ts';

/** The object store takes no smaller part but the last. */
export const LEAST_PART_BYTES = 5 * 1024 * 1024;

export interface Part {
  number: number;
  etag: string;
  size: number;
}

/** @returns the id of the upload, which its parts name */
export async function startUpload(key: string): Promise<string> {
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket: environment.bucketName, Key: key }));
  return UploadId!;
}

/** @param number from 1 to 10,000; the object has its parts in the order of these, which may have gaps */
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

/** Makes an object of its parts. It may have been done before. */
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

/** Gives back what was uploaded of an object that is not to be. Succeeds as well when there is no such upload. */
export async function abortUpload(key: string, uploadId: string): Promise<void> {
  await s3
    .send(new AbortMultipartUploadCommand({ Bucket: environment.bucketName, Key: key, UploadId: uploadId }))
    .catch(error => {
      if (error.name !== 'NoSuchUpload') throw error;
    });
}

const READ_BYTES = 4 * 1024 * 1024;

/**
 * An object's bytes, a few megabytes at a time, each by a request of its own: however long what is done with them takes, no
 * connection waits for it.
 * @throws ObjectGone
 */
export async function* readInParts(key: string, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; at += READ_BYTES) {
    const Range = `bytes=${at}-${Math.min(size, at + READ_BYTES) - 1}`;
    try {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: environment.bucketName, Key: key, Range }));
      yield Buffer.from(await Body!.transformToByteArray());
    } catch (error) {
      throw isMissing(error) ? new ObjectGone() : error;
    }
  }
}

export class ObjectGone extends Error {
  override readonly name = 'ObjectGone';
}
