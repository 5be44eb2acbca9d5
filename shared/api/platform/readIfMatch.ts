/** The version of a record that the caller has seen, and that he insists on: out of the `ETag` of an earlier answer. */

import { header } from '#shared/api/steps/startCall.ts';
import { invalidPayload } from '#shared/errors.ts';
import type { PlatformMiddleware } from './state.ts';

/** One entity tag; quotes may be left out. */
const ENTITY_TAG = /^(?:W\/)?"?([0-9A-Za-z]{1,40})"?$/;

export const readIfMatch = (): PlatformMiddleware => ({
  before: ({ event }) => {
    const value = header(event, 'if-match')?.trim();
    // Any version is as good as none.
    if (value === undefined || value === '*') return;
    const version = ENTITY_TAG.exec(value)?.[1];
    if (version === undefined) throw invalidPayload('Must be one ETag, as an answer gave it.', 'If-Match');
    event.call.ifMatch = version;
  },
});
