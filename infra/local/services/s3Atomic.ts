/**
 * Makes operations of the embedded object store atomic, as in S3. The server writes an object's bytes, checksum and
 * metadata as three files in place: a reader during a second upload would find an empty object, or the checksum of
 * another.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import type S3rver from '@20minutes/s3rver';
import S3Error from '@20minutes/s3rver/lib/models/error.js';

type Store = InstanceType<typeof S3rver>['store'];
type Middleware = InstanceType<typeof S3rver>['middleware'][number];

/** The bytes come last, because an object without them does not exist. */
const RESOURCES = ['metadata.json', 'object.md5', 'object'] as const;
type Resource = (typeof RESOURCES)[number];

/** @returns the middleware that rejects copies whose source has another ETag, which the server ignores */
export function makeAtomic(store: Store): Middleware {
  const exclusive = createLocks();
  const expected = new AsyncLocalStorage<string>();
  const pathOf = (bucket: string, key: string, resource: Resource = 'object') =>
    store.getResourcePath(bucket, key, resource);
  const { getMetadata, getObject } = store;

  store.getMetadata = (bucket, key) => exclusive(pathOf(bucket, key), () => getMetadata.call(store, bucket, key));
  store.getObject = (bucket, key, options) =>
    exclusive(pathOf(bucket, key), () => getObject.call(store, bucket, key, options));

  /** Writes the files under other names first, and replaces all of them at once. */
  const replace = async (
    bucket: string,
    key: string,
    prepare: (path: (resource: Resource) => string) => Promise<void>,
  ) => {
    const suffix = `.${randomUUID()}`;
    await mkdir(dirname(pathOf(bucket, key)), { recursive: true });
    const unfinished = (resource: Resource) => pathOf(bucket, key, resource) + suffix;
    try {
      await prepare(unfinished);
    } catch (error) {
      for (const resource of RESOURCES) await rm(unfinished(resource), { force: true });
      throw error;
    }
    await exclusive(pathOf(bucket, key), async () => {
      for (const resource of RESOURCES) {
        await rename(unfinished(resource), pathOf(bucket, key, resource));
      }
    });
  };

  store.putObject = async ({ bucket, key, content, metadata }) => {
    let written: [size: number, md5: string] | undefined;
    await replace(bucket, key, async path => {
      // The server does not wait until a buffer is written.
      written = await store.putContent(path('object'), Buffer.isBuffer(content) ? Readable.from([content]) : content);
      await writeFile(path('object.md5'), written[1]);
      await writeFile(path('metadata.json'), JSON.stringify(storedMetadata(metadata)));
    });
    return { size: written![0], md5: written![1] };
  };

  store.copyObject = async (fromBucket, fromKey, bucket, key, replacement) => {
    const etag = expected.getStore();
    await replace(bucket, key, path =>
      exclusive(pathOf(fromBucket, fromKey), async () => {
        if (etag && (await store.getMetadata(fromBucket, fromKey)).etag !== etag) {
          throw new S3Error('PreconditionFailed', 'The object has changed.');
        }
        for (const resource of RESOURCES) {
          // The platform's copies drop the metadata.
          if (replacement && resource === 'metadata.json') await writeFile(path(resource), '{}');
          else await copyFile(pathOf(fromBucket, fromKey, resource), path(resource));
        }
      }),
    );
    return store.getMetadata(bucket, key);
  };

  // The server also removes empty directories, which races with an upload to the same directory.
  store.deleteObject = (bucket, key) =>
    exclusive(pathOf(bucket, key), async () => {
      for (const resource of RESOURCES.toReversed()) await rm(pathOf(bucket, key, resource), { force: true });
    });

  return (context, next) => expected.run(context.get('x-amz-copy-source-if-match'), next);
}

const storedMetadata = (metadata: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(metadata).filter(([name]) =>
      /^(cache-control|content-(disposition|encoding|language|type)|expires|x-amz-meta-.*)$/.test(name),
    ),
  );

/** Returns a function that serializes the work of each name. Work may start more work of the same name. */
function createLocks() {
  const last = new Map<string, Promise<unknown>>();
  const held = new AsyncLocalStorage<readonly string[]>();
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const names = held.getStore() ?? [];
    if (names.includes(name)) return work();
    const before = last.get(name);
    const run = Promise.resolve(before).then(() => held.run([...names, name], work));
    const settled = run.then(
      () => {},
      () => {},
    );
    last.set(name, settled);
    try {
      return await run;
    } finally {
      if (last.get(name) === settled) last.delete(name);
    }
  };
}
