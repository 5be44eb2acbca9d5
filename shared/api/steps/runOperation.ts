import type { Answer, GatewayResult } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { ApiError } from '#shared/core/errors.ts';
import { retryConflicts, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { ParleyEvent } from './startCall.ts';

const ATTEMPTS = 8;

/** Retries on {@link WriteConflict}. @throws ApiError RateLimited when every attempt conflicts */
export const runOperation =
  (operation: Operation) =>
  async ({ call }: ParleyEvent): Promise<Answer | GatewayResult> => {
    try {
      return await retryConflicts<Answer | GatewayResult>(() => operation.handle(call as never), ATTEMPTS);
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
      throw new ApiError('RateLimited', 'Too many concurrent changes to the same resource. Retry the request.');
    }
  };
