/**
 * Bodies over Lambda's request limit of 6 MB: the caller requests an upload slot, uploads the JSON there and names it
 * in `x-body-ref` (docs/api/conventions.md#large-bodies). The operation's body limit applies as to any other body.
 */

import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { tooLarge } from '#shared/api/steps/readBody.ts';
import { header } from '#shared/api/steps/startCall.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { bodyKey, isBodyRef } from '#shared/storage/s3/prefixes.ts';
import { callerIdOf } from './caller.ts';
import type { PlatformMiddleware } from './state.ts';

/** The largest body inside a request: base64 within Lambda's 6 MB. */
const REQUEST_LIMIT_BYTES = 4.5 * 1024 * 1024;

/** Whether an operation's bodies may exceed a request. */
export const takesUploadedBodies = ({
  scope,
  body,
  payloadLimitBytes,
}: Pick<PlatformOperation, 'scope' | 'body' | 'payloadLimitBytes'>) =>
  // An upload belongs to a caller, whom an operation without a token does not know.
  scope !== 'public' && body !== undefined && payloadLimitBytes > REQUEST_LIMIT_BYTES;

export const fetchBody = (operation: PlatformOperation): PlatformMiddleware => ({
  before: async ({ event }) => {
    const ref = header(event, 'x-body-ref')?.trim();
    if (ref === undefined) return;
    if (!takesUploadedBodies(operation))
      throw invalidPayload(
        'This operation takes no uploaded body, because its limit fits a request. Send the body in the request.',
        'x-body-ref',
      );
    if (event.body)
      throw invalidPayload('Send the body in the request or name it in x-body-ref, not both.', 'x-body-ref');

    const { findObject } = await import('#shared/storage/s3/objects.ts');
    const object = isBodyRef(ref)
      ? await findObject(bodyKey(callerIdOf(event.call.principal), ref), operation.payloadLimitBytes)
      : undefined;
    if (object === undefined)
      throw invalidPayload('No upload was found for this reference, or it has expired.', 'x-body-ref');
    if (object === 'tooLarge') throw tooLarge(operation.payloadLimitBytes);
    event.call.uploadedBody = object;
  },
});
