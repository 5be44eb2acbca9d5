/** The object store. A bundle carries this file beside the function and loads it when a value is too big for the table. */
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { environment } from '../environment.ts';

const s3 = new S3Client({
  // The local object store answers on one host for all buckets.
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

/** Succeeds as well when the object is gone already. */
export async function deleteObject(key: string): Promise<void> {
  await s3.send(new DeleteObjectCommand({ Bucket: environment.bucketName, Key: key }));
}
