/** Fixes multipart uploads of the embedded object store: concurrent completions, missing parts and aborts. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type S3rver from '@20minutes/s3rver';
import S3Error from '@20minutes/s3rver/lib/models/error.js';

type Store = InstanceType<typeof S3rver>['store'];
type Middleware = InstanceType<typeof S3rver>['middleware'][number];

const UPLOAD_ID = /^[0-9a-f]{32}$/;

/**
 * Completes each upload once for concurrent callers, and rejects missing parts. The server would read parts that it has
 * just removed, and the unhandled error would end its process.
 * @returns the middleware that aborts uploads
 */
export function repairMultipartUploads(store: Store): Middleware {
  const assemble = store.putObjectMultipart.bind(store);
  const completing = new Map<string, ReturnType<typeof assemble>>();

  const directoryOf = (bucket: string, uploadId: string): string => {
    const directory = join(store.getResourcePath(bucket, undefined, 'uploads'), uploadId);
    if (UPLOAD_ID.test(uploadId) && existsSync(join(directory, 'metadata'))) return directory;
    throw new S3Error('NoSuchUpload', 'The specified upload does not exist. It may have been aborted or completed.');
  };

  const complete: typeof assemble = async (bucket, uploadId, parts) => {
    const directory = directoryOf(bucket, uploadId);
    const missing = parts.find(({ number }) => !existsSync(join(directory, String(number))));
    if (missing) throw new S3Error('InvalidPart', `Part ${missing.number} was not uploaded.`);
    return assemble(bucket, uploadId, parts);
  };
  store.putObjectMultipart = (bucket, uploadId, parts) => {
    const running =
      completing.get(uploadId) ?? complete(bucket, uploadId, parts).finally(() => completing.delete(uploadId));
    completing.set(uploadId, running);
    return running;
  };

  return async (context, next) => {
    const { uploadId } = context.query;
    if (context.method !== 'DELETE' || uploadId === undefined) return next();
    const [, bucket = ''] = context.path.split('/');
    await completing.get(uploadId)?.catch(() => {});
    await rm(directoryOf(bucket, uploadId), { recursive: true });
    context.status = 204;
  };
}
