/**
 * The share of the account's concurrent Lambda functions that listening and deliveries have to themselves, by the setting
 * `accountConcurrency`: the account's limit in the region. Without it nothing is reserved, because a deployment that leaves fewer than
 * 100 unreserved fails, and new accounts have a limit of 10.
 */
import type { Construct } from 'constructs';
import { settingsOf } from '#infra/settings/settingsOf.ts';

// Lambda demands that 100 stay unreserved, which is 40 % of the least that the setting takes.
/** Every open stream holds a function for as long as it is open. */
const LISTENING_SHARE = 0.4;
/** A delivery holds a function until the endpoint has answered. */
const DELIVERIES_SHARE = 0.2;
export interface ReservedConcurrency {
  /** Of each function that streams. */
  listening: number;
  deliveries: number;
}

/** `listenConversation` and `initializeConversation`. */
const STREAMING_FUNCTIONS = 2;

export function reservedConcurrencyOf(scope: Construct): ReservedConcurrency | undefined {
  const { accountConcurrency: limit } = settingsOf(scope);
  if (limit === undefined) return undefined;
  return {
    listening: Math.floor((limit * LISTENING_SHARE) / STREAMING_FUNCTIONS),
    deliveries: Math.floor(limit * DELIVERIES_SHARE),
  };
}
