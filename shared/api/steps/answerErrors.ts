/** Turns every failure into the wire shape, under an id that the log has, too. */
import type { Operation } from '#shared/api/operations.ts';
import { ApiError, errorBody, NOT_IMPLEMENTED, newErrorId } from '#shared/core/errors.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { valueFault } from '#shared/storage/dynamodb/itemLimits.ts';
import { AlreadyAnswered } from './replayAnswer.ts';
import { meaningOfServiceError } from './serviceErrors.ts';
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
    const isFailure = body.code >= 500 && body.code !== NOT_IMPLEMENTED;
    if (isFailure) {
      log.error('The operation failed.', {
        errorId: body.id,
        operation: operation.name,
        requestId: event.call.requestId,
        tenant: event.call.tenant,
        error: errorFields(error),
      });
    }
    // The line of the call says it: see `logCall.ts`.
    event.call.failure = {
      errorId: body.id,
      type: body.type,
      reason: failure instanceof ApiError && !isFailure ? failure.message : undefined,
      retryAfterSeconds: failure instanceof ApiError ? failure.retryAfterSeconds : undefined,
    };

    request.response = jsonAnswer(body.code, body);
  },
});

/**
 * What AWS refuses on account of the caller's input, of their number or of its own condition is no failure of the
 * platform.
 */
const meaningOf = (error: unknown): unknown =>
  error instanceof ApiError ? error : (meaningOfServiceError(error) ?? valueFault(error) ?? error);
