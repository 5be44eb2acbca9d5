/**
 * A call reserves its maximum cost before it starts, and returns the unused part. A call that times out or crashes
 * keeps its reservation, because the provider may bill it.
 */
import { randomUUID } from 'node:crypto';
import { RequestRejectedError } from '#shared/ai/postJson.ts';
import { ThrottledError } from '#shared/ai/throttledError.ts';
import { clock } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { NANODOLLARS, reserveSpend, returnSpend } from '#shared/storage/dynamodb/workspace/spend.ts';
import { addUsage } from '#shared/storage/dynamodb/workspace/usage.ts';

export interface Spender {
  workspaceId: string;
  botId: string;
}

export interface Reservation {
  /** Records the actual cost. Never throws: on failure, the reservation stays counted. */
  settle(dollars: number): Promise<void>;
}

const FREE: Reservation = { settle: async () => {} };

/** @param most in US dollars @throws ApiError QuotaExceeded */
export async function reserve({ workspaceId, botId }: Spender, most: number): Promise<Reservation> {
  const reserved = Math.ceil(most * NANODOLLARS);
  if (reserved === 0) return FREE;
  const nowMs = clock.now();
  // Selects the same counter for the reservation and its refund.
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
        log.error('The actual spend could not be recorded. The reserved amount stays counted.', {
          workspaceId,
          botId,
          error: errorFields(result.reason),
        });
      }
    },
  };
}

export async function withSpendReservation<Result>(
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

/** Returns true unless the provider responded with an error: it may have processed the call. */
export function mayBeBilled(error: unknown): boolean {
  if (error instanceof ThrottledError) return error.mayBeBilled;
  return !(error instanceof RequestRejectedError && error.status !== undefined);
}
