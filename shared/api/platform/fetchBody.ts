/** Loads bodies over 6 MB from the upload slot in `x-body-ref` (docs/api/conventions.md#large-bodies). */

import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { tooLarge } from '#shared/api/steps/readBody.ts';
import { header } from '#shared/api/steps/startCall.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { bodyKey, isBodyRef } from '#shared/storage/s3/prefixes.ts';
import { callerIdOf } from './callerIdOf.ts';
import type { PlatformMiddleware } from './platformState.ts';

/** The bytes that fit Lambda's 6 MB in base64. */
const REQUEST_LIMIT_BYTES = 4.5 * 1024 * 1024;

export const acceptsBodyUploads = ({
  scope,
  body,
  payloadLimitBytes,
}: Pick<PlatformOperation, 'scope' | 'body' | 'payloadLimitBytes'>) =>
  scope !== 'public' && body !== undefined && payloadLimitBytes > REQUEST_LIMIT_BYTES;

export const fetchBody = (operation: PlatformOperation): PlatformMiddleware => ({
  before: async ({ event }) => {
    const ref = header(event, 'x-body-ref')?.trim();
    if (ref === undefined) return;
    if (!acceptsBodyUploads(operation))
      throw invalidPayload(
        'This operation does not accept uploaded bodies, because its largest body fits a request. Send the body in the request.',
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
