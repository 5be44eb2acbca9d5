import type S3rver from '@20minutes/s3rver';
import S3Error from '@20minutes/s3rver/lib/models/error.js';

type Server = InstanceType<typeof S3rver>;

/** Rejects a write with `If-None-Match: *` to an existing key, as S3 does. The server ignores that header. */
export function rejectExisting(store: Server['store']): Server['middleware'][number] {
  return async (context, next) => {
    if (context.method !== 'PUT' || context.get('if-none-match') !== '*') return next();
    const [, bucket = '', ...key] = context.path.split('/').map(decodeURIComponent);
    const found = await store.getMetadata(bucket, key.join('/')).catch(() => undefined);
    if (found) throw new S3Error('PreconditionFailed', 'The object exists.');
    return next();
  };
}
