/** Turns every failure into the wire shape and logs it under the id that the caller receives. */
import type { Operation } from '#shared/api/operations.ts';
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

    const failure = isThrottle(error) ? new ApiError('RateLimited', 'Too many requests. Retry in a second.') : error;
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
      log.info('The call was rejected.', { ...fields, reason: error instanceof ApiError ? error.message : undefined });

    request.response = jsonAnswer(body.code, body);
  },
});

/** DynamoDB's throttling errors, which arrive here after the SDK's own retries. */
const THROTTLES = new Set(['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded']);
const isThrottle = (error: unknown) => error instanceof Error && THROTTLES.has(error.name);
