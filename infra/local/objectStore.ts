/** S3 on one machine: an embedded server, or whatever S3_ENDPOINT names. */
import { mkdir } from 'node:fs/promises';
import S3rver from '@20minutes/s3rver';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { Service } from './dynamodb.ts';

/** The embedded server knows only this key. */
export const EMBEDDED_KEY = 'S3RVER';

/** @param directory where the objects are kept */
export async function startObjectStore(directory: string, buckets: string[]): Promise<Service> {
  const given = process.env.S3_ENDPOINT;
  if (given) {
    await Promise.all(buckets.map(bucket => createBucket(given, bucket)));
    return { endpoint: given, stop: async () => {} };
  }

  await mkdir(directory, { recursive: true });
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory,
    silent: true,
    vhostBuckets: false,
    configureBuckets: buckets.map(name => ({ name })),
  });
  // The SDK signs the path of a whole bucket with a slash at its end, which this server leaves out of its calculation:
  // the signature of a listing cannot match. Those of single objects do, and are checked.
  server.middleware.unshift((context, next) => {
    if (/^\/[^/]+\/?$/.test(context.path)) {
      context.app = Object.create(context.app, { allowMismatchedSignatures: { value: true } });
    }
    return next();
  });
  const { port } = await server.run();
  return { endpoint: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

async function createBucket(endpoint: string, Bucket: string): Promise<void> {
  const client = new S3Client({ endpoint, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket })).catch(error => {
    if (error.name !== 'BucketAlreadyOwnedByYou' && error.name !== 'BucketAlreadyExists') throw error;
  });
  client.destroy();
}
