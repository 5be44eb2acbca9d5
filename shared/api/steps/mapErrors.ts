/** Converts failures to the wire format, with an id that also appears in the log. */
import type { Operation } from '#shared/api/operations/operations.ts';
import { ApiError, errorBody, NOT_IMPLEMENTED, newErrorId } from '#shared/core/errors.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { valueFault } from '#shared/storage/dynamodb/engine/itemLimits.ts';
import { AlreadyProcessed } from './makeIdempotent.ts';
import { serviceErrorToApiError } from './serviceErrors.ts';
import type { Middleware } from './startCall.ts';
import { jsonResponse } from './writeResponse.ts';

export const mapErrors = (operation: Operation): Middleware => ({
  onError: request => {
    const { error, event } = request;
    if (error instanceof AlreadyProcessed) {
      request.response = jsonResponse(error.answer.status, error.answer.body, { 'idempotent-replayed': 'true' });
      return;
    }

    const failure = toApiError(error);
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
    event.call.failure = {
      errorId: body.id,
      type: body.type,
      reason: failure instanceof ApiError && !isFailure ? failure.message : undefined,
      retryAfterSeconds: failure instanceof ApiError ? failure.retryAfterSeconds : undefined,
    };

    request.response = jsonResponse(body.code, body);
  },
});

/** Maps AWS errors that the input, throttling or an outage caused to their client errors. */
const toApiError = (error: unknown): unknown =>
  error instanceof ApiError ? error : (serviceErrorToApiError(error) ?? valueFault(error) ?? error);
