/**
 * Calls that cost money. The most that a call may cost is counted before it begins, against the ceilings of its
 * workspace and as the usage `ai_spend` of its bot; afterwards, the difference from what it did cost is taken back. A
 * call that timed out, or whose function crashed, stays counted as its most, because the provider may bill it.
 */
import { randomUUID } from 'node:crypto';
import { RequestRejectedError } from '#shared/ai/postJson.ts';
import { ThrottledError } from '#shared/ai/throttledError.ts';
import { clock } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/transaction.ts';
import { NANODOLLARS, reserveSpend, returnSpend } from '#shared/storage/dynamodb/workspace/spend.ts';
import { addUsage } from '#shared/storage/dynamodb/workspace/usage.ts';

export interface Spender {
  workspaceId: string;
  botId: string;
}

export interface Reservation {
  /** Counts what the call did cost. Never fails: without it, the most stays counted. */
  settle(dollars: number): Promise<void>;
}

const FREE: Reservation = { settle: async () => {} };

/** @param most in US dollars @throws ApiError QuotaExceeded */
export async function reserve({ workspaceId, botId }: Spender, most: number): Promise<Reservation> {
  const reserved = Math.ceil(most * NANODOLLARS);
  if (reserved === 0) return FREE;
  const nowMs = clock.now();
  // The same counter takes the amount and what is taken back.
  const of = randomUUID();
  const count = (amount: number) =>
    retryConflicts(() => write([addUsage(workspaceId, 'ai_spend', amount, { botId, of, nowMs })]));
  await retryConflicts(() => reserveSpend(workspaceId, reserved, nowMs));
  await count(reserved);
  let isSettled = false;
  return {
    async settle(dollars) {
      if (isSettled) return;
      isSettled = true;
      const excess = reserved - Math.round(dollars * NANODOLLARS);
      if (excess === 0) return;
      const results = await Promise.allSettled([
        retryConflicts(() => returnSpend(workspaceId, excess, nowMs)),
        count(-excess),
      ]);
      for (const result of results) {
        if (result.status === 'fulfilled') continue;
        log.error('Spend could not be settled and stays counted as reserved.', {
          workspaceId,
          botId,
          error: errorFields(result.reason),
        });
      }
    },
  };
}

/**
 * Calls a model and counts what that costs.
 * @param run returns the cost with its result @throws ApiError QuotaExceeded, or what `run` throws
 */
export async function paying<Result>(
  spender: Spender,
  most: number,
  run: () => Promise<{ result: Result; dollars: number }>,
): Promise<Result> {
  const reservation = await reserve(spender, most);
  try {
    const { result, dollars } = await run();
    await reservation.settle(dollars);
    return result;
  } catch (error) {
    if (!mayBeBilled(error)) await reservation.settle(0);
    throw error;
  }
}

/** Whether a provider may bill a call that failed: unless it answered with an error, it may have worked on it. */
export function mayBeBilled(error: unknown): boolean {
  if (error instanceof ThrottledError) return error.mayBeBilled;
  return !(error instanceof RequestRejectedError && error.status !== undefined);
}
