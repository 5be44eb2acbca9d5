/** Every failure leaves in the one wire shape, and stands in the log under the id that the caller got. */
import type { Operation } from '#shared/api/operation.ts';
import { ApiError, errorBody, newErrorId } from '#shared/errors.ts';
import { errorFields, log } from '#shared/log.ts';
import { AlreadyAnswered } from './replayAnswer.ts';
import type { Middleware } from './startCall.ts';
import { jsonAnswer } from './writeAnswer.ts';

export const answerErrors = (operation: Operation): Middleware => ({
  onError: request => {
    const { error, event } = request;
    if (error instanceof AlreadyAnswered) {
      request.response = jsonAnswer(error.answer.status, error.answer.body, { 'idempotent-replayed': 'true' });
      return;
    }

    const failure = isThrottle(error)
      ? new ApiError('RateLimited', 'Too many requests. Try again in a second.')
      : error;
    const body = errorBody(failure, newErrorId());
    const fields = {
      errorId: body.id,
      operation: operation.name,
      requestId: event.call?.requestId,
      status: body.code,
      type: body.type,
      tenant: event.call?.tenant,
      keyId: event.call?.keyId,
    };
    if (body.code >= 500) log.error('The operation failed.', { ...fields, error: errorFields(error) });
    else
      log.info('The call was refused.', { ...fields, reason: error instanceof ApiError ? error.message : undefined });

    request.response = jsonAnswer(body.code, body);
  },
});

/** DynamoDB's word, after all of the SDK's own repetitions, that it is asked for more than it can give at the moment. */
const THROTTLES = new Set(['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded']);
const isThrottle = (error: unknown) => error instanceof Error && THROTTLES.has(error.name);
