import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { adminOperation, type Principal } from '#shared/api/operations/platform.ts';
import { callerIdOf } from '#shared/api/platform/callerIdOf.ts';
import { uploadLimitOf } from '#shared/api/platform/uploadRights.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { ApiError } from '#shared/core/errors.ts';
import { rereadAccount } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { bodyKey, newBodyRef } from '#shared/storage/s3/prefixes.ts';

const URL_SECONDS = 3600;

export const requestBodyUpload = adminOperation({
  name: 'requestBodyUpload',
  summary:
    'Creates an upload slot for a request body over 4.5 MB: PUT exactly `size` bytes to `url`, then send `ref` in the header `x-body-ref` of the actual request within a day. Requires the right to call an operation that accepts such a body.',
  method: 'POST',
  path: '/admin/body-uploads',
  scope: 'token',
  grants: 'nothing',
  table: 'reads',
  objects: { writes: ['bodies'] },
  body: z.object({ size: z.int().check(z.minimum(1)) }),
  output: z.object({ ref: z.string(), url: z.string(), expiresAt: dateTime() }),
  statuses: [201],

  handle: async ({ input: { size }, principal, token, nowMs }) => {
    const limitBytes = uploadLimitOf(principal, token) || uploadLimitOf(await currentPrincipal(principal), token);
    if (limitBytes === 0) {
      throw new ApiError('Forbidden', 'The caller may call no operation that accepts an uploaded body.');
    }
    if (size > limitBytes) {
      throw new ApiError('PayloadTooLarge', `A body may have at most ${limitBytes} bytes.`, {
        metadata: { limitBytes },
      });
    }
    const { presignPut } = await import('#shared/storage/s3/presign.ts');
    const ref = newBodyRef();
    const url = await presignPut(bodyKey(callerIdOf(principal), ref), size, URL_SECONDS);
    return created({ ref, url, expiresAt: iso(nowMs + URL_SECONDS * 1000) });
  },
});

/** Bypasses the caller's cache, so that a new role applies immediately. */
const currentPrincipal = async (principal: Principal): Promise<Principal> =>
  principal.kind === 'account' ? { kind: 'account', account: await rereadAccount(principal.account) } : principal;
