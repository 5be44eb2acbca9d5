/**
 * Bodies that no request can carry: Lambda takes 6 MB. The caller asks for an upload slot, puts the JSON there, and names
 * it in `x-body-ref` (FACTS, decisions). It counts against the interface's limit like any other.
 */

import { tooLarge } from '#shared/api/steps/readBody.ts';
import { header } from '#shared/api/steps/startCall.ts';
import { invalidPayload } from '#shared/errors.ts';
import { bodyKey, isBodyRef } from '#shared/s3/uploads.ts';
import { callerIdOf } from './caller.ts';
import type { PlatformOperation } from './operation.ts';
import type { PlatformMiddleware } from './state.ts';

/** What a request itself can carry, as base 64 within Lambda's 6 MB. */
const REQUEST_LIMIT_BYTES = 4.5 * 1024 * 1024;

/** Whether an operation's bodies may be bigger than a request. */
export const takesUploadedBodies = ({
  body,
  payloadLimitBytes,
}: Pick<PlatformOperation, 'body' | 'payloadLimitBytes'>) =>
  body !== undefined && payloadLimitBytes > REQUEST_LIMIT_BYTES;

export const fetchBody = (operation: PlatformOperation): PlatformMiddleware => ({
  before: async ({ event }) => {
    const ref = header(event, 'x-body-ref')?.trim();
    if (ref === undefined) return;
    if (!takesUploadedBodies(operation))
      throw invalidPayload('This operation takes its body in the request.', 'x-body-ref');
    if (event.body) throw invalidPayload('The body is either in the request or in x-body-ref, not both.', 'x-body-ref');

    const { findObject } = await import('#shared/s3/objects.ts');
    const object = isBodyRef(ref)
      ? await findObject(bodyKey(callerIdOf(event.call.principal), ref), operation.payloadLimitBytes)
      : undefined;
    if (object === undefined)
      throw invalidPayload('Nothing was uploaded under this reference, or it expired.', 'x-body-ref');
    if (object === 'tooLarge') throw tooLarge(operation.payloadLimitBytes);
    event.call.uploadedBody = object;
  },
});
