import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { callerIdOf } from '#shared/api/platform/caller.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { ApiError } from '#shared/core/errors.ts';
import { bodyKey, newBodyRef } from '#shared/storage/s3/prefixes.ts';

/** The largest body of any group (docs/api/conventions.md#body-limits). */
const LIMIT_BYTES = 50 * 1024 * 1024;
const URL_SECONDS = 3600;

export const requestBodyUpload = adminOperation({
  name: 'requestBodyUpload',
  summary:
    'Creates an upload slot for a request body over 4.5 MB: PUT exactly `size` bytes to `url`, then send `ref` in the header `x-body-ref` of the actual request within a day.',
  method: 'POST',
  path: '/admin/body-uploads',
  scope: 'token',
  grants: 'nothing',
  table: 'reads',
  objects: 'signsUploads',
  body: z.object({ size: z.int().check(z.minimum(1)) }),
  output: z.object({ ref: z.string(), url: z.string(), expiresAt: dateTime() }),
  statuses: [201],

  handle: async ({ input: { size }, principal, nowMs }) => {
    if (size > LIMIT_BYTES) {
      throw new ApiError('PayloadTooLarge', `A body may have at most ${LIMIT_BYTES} bytes.`, {
        metadata: { limitBytes: LIMIT_BYTES },
      });
    }
    const { presignPut } = await import('#shared/storage/s3/presign.ts');
    const ref = newBodyRef();
    const url = await presignPut(bodyKey(callerIdOf(principal), ref), size, URL_SECONDS);
    return created({ ref, url, expiresAt: iso(nowMs + URL_SECONDS * 1000) });
  },
});
