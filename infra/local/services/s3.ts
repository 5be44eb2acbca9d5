import { mkdir } from 'node:fs/promises';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import S3rver from '@20minutes/s3rver';
import S3Error from '@20minutes/s3rver/lib/models/error.js';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { Service } from '#infra/local/runtime/service.ts';
import { CONTENT_POLICY } from '#shared/storage/s3/inlineTypes.ts';
import { isSame, localSecret } from './access/localSecret.ts';
import { hasOwnHost, refusalOf } from './access/requestAccess.ts';
import { IDLE_TIMEOUT_MS } from './ports.ts';
import { makeAtomic } from './s3Atomic.ts';
import { repairMultipartUploads } from './s3Multipart.ts';

export interface Arrival {
  bucket: string;
  key: string;
  size: number;
}

/** Path of the embedded server's notifications. No bucket can have this name. */
export const ARRIVALS_PATH = '/.arrivals';
const WAIT_MS = 1_000;

export const arrivalsAuthorization = (): string => `Bearer ${localSecret()}`;

const CORS = `<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><AllowedMethod>HEAD</AllowedMethod><AllowedMethod>PUT</AllowedMethod><AllowedHeader>*</AllowedHeader><ExposeHeader>ETag</ExposeHeader><MaxAgeSeconds>3600</MaxAgeSeconds></CORSRule></CORSConfiguration>`;

type Middleware = InstanceType<typeof S3rver>['middleware'][number];

/** Sets the headers that the content distribution sets on AWS, because contents are untrusted. */
const setSecurityHeaders: Middleware = async (context, next) => {
  await next();
  context.set('x-content-type-options', 'nosniff');
  context.set('content-security-policy', CONTENT_POLICY);
};

/** Rejects unsigned requests, which the server accepts. Preflights of browsers are never signed. */
const authorize: Middleware = async (context, next) => {
  const isPreflight = context.method === 'OPTIONS' && hasOwnHost(context.req);
  const isOwnPoll = context.path === ARRIVALS_PATH && isSame(context.get('authorization'), arrivalsAuthorization());
  const refusal = isPreflight || isOwnPoll ? undefined : await refusalOf(context.req, 's3');
  if (refusal !== undefined) throw new S3Error('AccessDenied', refusal);
  return next();
};

/** Rejects a write with `If-None-Match: *` to an existing key, as S3 does. The server ignores that header. */
function rejectExisting(store: InstanceType<typeof S3rver>['store']): Middleware {
  return async (context, next) => {
    if (context.method !== 'PUT' || context.get('if-none-match') !== '*') return next();
    const [, bucket = '', ...key] = context.path.split('/').map(decodeURIComponent);
    const found = await store.getMetadata(bucket, key.join('/')).catch(() => undefined);
    if (found) throw new S3Error('PreconditionFailed', 'The object exists.');
    return next();
  };
}

/** Serves {@link ARRIVALS_PATH}, a long poll for objects that arrived after a count. Responds immediately to -1. */
function serveArrivals(): Middleware {
  const arrivals: Arrival[] = [];
  let arrived = Promise.withResolvers<void>();
  return async (context, next) => {
    if (context.path === ARRIVALS_PATH) {
      const after = Number(context.query.after);
      if (after >= arrivals.length) await Promise.race([arrived.promise, sleep(WAIT_MS, undefined, { ref: false })]);
      context.body = JSON.stringify({ arrivals: arrivals.slice(Math.max(0, after)), last: arrivals.length });
      return;
    }
    await next();
    if (context.method !== 'PUT' || context.status !== 200) return;
    const [, bucket = '', ...rest] = context.path.split('/');
    const copied = context.get('x-amz-copy-source');
    const size = copied ? 0 : Number(context.get('content-length') || 0);
    arrivals.push({ bucket, key: decodeURIComponent(rest.join('/')), size });
    arrived.resolve();
    arrived = Promise.withResolvers();
  };
}

/** @param wantedPort 0 for any free port */
export async function startObjectStore(directory: string, buckets: string[], wantedPort = 0): Promise<Service> {
  const given = process.env.S3_ENDPOINT;
  if (given) {
    await Promise.all(buckets.map(bucket => createBucket(given, bucket)));
    return { endpoint: given, stop: async () => {} };
  }

  await mkdir(directory, { recursive: true });
  const server = new S3rver({
    address: '127.0.0.1',
    port: wantedPort,
    directory,
    silent: true,
    vhostBuckets: false,
    // `authorize` verifies signatures. The server computes some differently from S3.
    allowMismatchedSignatures: true,
    configureBuckets: buckets.map(name => ({ name, configs: [CORS] })),
  });
  server.middleware.unshift(
    authorize,
    serveArrivals(),
    setSecurityHeaders,
    makeAtomic(server.store),
    rejectExisting(server.store),
    repairMultipartUploads(server.store),
  );
  const { port } = await server.run();
  server.httpServer.keepAliveTimeout = IDLE_TIMEOUT_MS;
  rejectUnparsable(server.httpServer);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: () => {
      server.httpServer.closeAllConnections();
      return server.close();
    },
  };
}

/** Returns 400 for targets such as `http://[`, which the server cannot parse. */
function rejectUnparsable(server: Server): void {
  const [serve] = server.listeners('request') as [(...given: unknown[]) => void];
  server.removeAllListeners('request').on('request', (request, response) => {
    if (URL.canParse(request.url ?? '', 'http://127.0.0.1')) serve(request, response);
    else response.writeHead(400).end();
  });
}

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
