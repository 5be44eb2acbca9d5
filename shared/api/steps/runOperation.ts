/** The middle of the chain: the operation's own handler. */
import type { Answer, Operation } from '#shared/api/operation.ts';
import { retryConflicts, WriteConflict } from '#shared/dynamodb/transaction.ts';
import { ApiError } from '#shared/errors.ts';
import type { ParleyEvent } from './startCall.ts';

const ATTEMPTS = 8;

/** Runs the handler. On a {@link WriteConflict} nothing was written and another caller got on, so it runs again. */
export const runOperation =
  (operation: Operation) =>
  async ({ call }: ParleyEvent): Promise<Answer> => {
    try {
      return await retryConflicts(() => operation.handle(call as never), ATTEMPTS);
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
      // Nothing was written, and the clients repeat on a 429.
      throw new ApiError('RateLimited', 'Too many callers change this at once. Try again.');
    }
  };
