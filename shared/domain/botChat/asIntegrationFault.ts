import { ApiError } from '#shared/core/errors.ts';

/** Maps a missing record to an error of the integration, because the integration returned its id, not the caller. */
export const asIntegrationFault = (error: unknown, kind: 'user' | 'conversation'): unknown =>
  error instanceof ApiError && error.type === 'ResourceNotFound'
    ? new ApiError('Runtime', `The integration returned a ${kind}.id that does not exist in this bot.`)
    : error;
