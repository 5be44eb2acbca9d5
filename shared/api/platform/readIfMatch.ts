import { header } from '#shared/api/steps/startCall.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import type { PlatformMiddleware } from './platformState.ts';

const ENTITY_TAG = /^(?:W\/)?"?([0-9A-Za-z]{1,40})"?$/;

export const readIfMatch = (): PlatformMiddleware => ({
  before: ({ event }) => {
    const value = header(event, 'if-match')?.trim();
    // `*` accepts any version.
    if (value === undefined || value === '*') return;
    const version = ENTITY_TAG.exec(value)?.[1];
    if (version === undefined) throw invalidPayload('Must be a single ETag from an earlier response.', 'If-Match');
    event.call.ifMatch = version;
  },
});
