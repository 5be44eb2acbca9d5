import { ApiError } from '#shared/core/errors.ts';

/**
 * An integration that answers with the id of something that is not there has failed; the caller named nothing that
 * could be missing.
 */
export const asIntegrationFault = (error: unknown, kind: 'user' | 'conversation'): unknown =>
  error instanceof ApiError && error.type === 'ResourceNotFound'
    ? new ApiError('Runtime', `The integration answered with a ${kind}.id of no ${kind} of this bot.`)
    : error;
