/** S3 on one machine: an embedded server, or whatever S3_ENDPOINT names. */
import { mkdir, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import S3rver from '@20minutes/s3rver';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { Service } from './dynamodb.ts';
import { IDLE_TIMEOUT_MS } from './ports.ts';

/** The embedded server knows only this key. */
export const EMBEDDED_KEY = 'S3RVER';

/** Something was put into a bucket. */
export interface Arrival {
  bucket: string;
  key: string;
  size: number;
}

/** Not a bucket's: there the server tells of what has arrived. */
export const ARRIVALS_PATH = '/.arrivals';
const WAIT_MS = 1_000;

/** Browsers put and read files from anywhere, as in the cloud. */
const CORS = `<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><AllowedMethod>HEAD</AllowedMethod><AllowedMethod>PUT</AllowedMethod><AllowedHeader>*</AllowedHeader><ExposeHeader>ETag</ExposeHeader><MaxAgeSeconds>3600</MaxAgeSeconds></CORSRule></CORSConfiguration>`;

type Middleware = InstanceType<typeof S3rver>['middleware'][number];

/** What is served from here may be anything: as in the cloud, a browser is told not to guess. */
const protectReaders: Middleware = async (context, next) => {
  await next();
  context.set('x-content-type-options', 'nosniff');
};

/** Answers at {@link ARRIVALS_PATH} with all that arrived after a number, as soon as there is something. */
function rememberArrivals(): Middleware {
  const arrivals: Arrival[] = [];
  let heard = Promise.withResolvers<void>();
  return async (context, next) => {
    if (context.path === ARRIVALS_PATH) {
      const { after: given } = context.query;
      const after = given === 'now' ? arrivals.length : Number(given);
      if (after >= arrivals.length) await Promise.race([heard.promise, sleep(WAIT_MS, undefined, { ref: false })]);
      context.body = JSON.stringify({ arrivals: arrivals.slice(after), last: arrivals.length });
      return;
    }
    await next();
    if (context.method !== 'PUT' || context.status !== 200) return;
    const [, bucket = '', ...rest] = context.path.split('/');
    const copied = context.get('x-amz-copy-source');
    const size = copied ? 0 : Number(context.get('content-length') || 0);
    arrivals.push({ bucket, key: decodeURIComponent(rest.join('/')), size });
    heard.resolve();
    heard = Promise.withResolvers();
  };
}

/**
 * Deletes an object's files and nothing else. As the server has it, a directory that has become empty goes too, with
 * whatever is being put into it at that moment: another object whose name begins alike was refused with a 500, or lost.
 */
function leaveDirectories(store: InstanceType<typeof S3rver>['store']): void {
  store.deleteObject = async (bucket, key) => {
    const files = ['object', 'object.md5', 'metadata.json'].map(resource =>
      store.getResourcePath(bucket, key, resource),
    );
    await Promise.all(files.map(file => rm(file, { force: true })));
  };
}

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
    configureBuckets: buckets.map(name => ({ name, configs: [CORS] })),
  });
  // The SDK signs the path of a whole bucket with a slash at its end, which this server leaves out of its calculation:
  // the signature of a listing cannot match. Nor can that of a name with these characters, which the SDK percent-encodes as
  // S3 does, and this server does not. All others do, and are checked.
  server.middleware.unshift((context, next) => {
    const name = context.query['response-content-disposition'] ?? '';
    if (/^\/[^/]+\/?$/.test(context.path) || /[!'()*]/.test(name)) {
      context.app = Object.create(context.app, { allowMismatchedSignatures: { value: true } });
    }
    return next();
  });
  server.middleware.unshift(rememberArrivals(), protectReaders);
  leaveDirectories(server.store);
  const { port } = await server.run();
  server.httpServer.keepAliveTimeout = IDLE_TIMEOUT_MS;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: () => {
      server.httpServer.closeAllConnections();
      return server.close();
    },
  };
}

/** Makes another bucket at an object store. @returns its name */
export async function newBucket(endpoint: string, name: string): Promise<string> {
  await createBucket(endpoint, name);
  return name;
}

async function createBucket(endpoint: string, Bucket: string): Promise<void> {
  const client = new S3Client({ endpoint, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket })).catch(error => {
    if (error.name !== 'BucketAlreadyOwnedByYou' && error.name !== 'BucketAlreadyExists') throw error;
  });
  client.destroy();
}
