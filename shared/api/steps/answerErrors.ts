/** Turns every failure into the wire shape and logs it under the id that the caller receives. */
import type { Operation } from '#shared/api/operations.ts';
import { valueFault } from '#shared/dynamodb/itemLimits.ts';
import { ApiError, errorBody, NOT_IMPLEMENTED, newErrorId } from '#shared/errors.ts';
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

    const failure = meaningOf(error);
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
    if (body.code >= 500 && body.code !== NOT_IMPLEMENTED)
      log.error('The operation failed.', { ...fields, error: errorFields(error) });
    else
      log.info('The call was rejected.', {
        ...fields,
        reason: failure instanceof ApiError ? failure.message : undefined,
      });

    request.response = jsonAnswer(body.code, body);
  },
});

/** What DynamoDB refuses on account of the caller's input or of their number is no failure of the platform. */
function meaningOf(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (isThrottle(error)) return new ApiError('RateLimited', 'Too many requests. Retry in a second.');
  return valueFault(error) ?? error;
}

/** DynamoDB's throttling errors, which arrive here after the SDK's own retries. */
const THROTTLES = new Set(['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded']);
const isThrottle = (error: unknown) => error instanceof Error && THROTTLES.has(error.name);
