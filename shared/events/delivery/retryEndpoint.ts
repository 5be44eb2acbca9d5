import { clock } from '#shared/core/clock.ts';
import { allowProbe } from '#shared/storage/dynamodb/delivery/breakers.ts';
import { claimRetry } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import {
  findPaused,
  listByNextAttempt,
  makeDueNow,
  scheduleWakeup,
} from '#shared/storage/dynamodb/delivery/pausedConversations.ts';
import type { Destination } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { CONCURRENT_RESUMES } from './deliveryLimits.ts';

/** Shortest time between two retries of an endpoint that callers request. */
export const RETRY_INTERVAL_MS = 5_000;

/**
 * Makes the next attempt at an endpoint now: ends the pause of its breaker and those of the conversations that would
 * be next. After a success, the others follow. Idempotent. Returns false if a retry was requested within five seconds.
 * @param conversationId of the conversation to resume in any case
 */
export async function retryEndpoint(destination: Destination, conversationId?: string): Promise<boolean> {
  const nowMs = clock.now();
  if (!(await claimRetry(destination, { nowMs, untilMs: nowMs + RETRY_INTERVAL_MS }))) return false;
  await allowProbe(destination, nowMs);
  const next = await listByNextAttempt(destination, CONCURRENT_RESUMES);
  const ids = new Set(next.filter(({ atMs }) => atMs > nowMs).map(each => each.conversationId));
  if (conversationId !== undefined) ids.add(conversationId);
  await Promise.all([...ids].map(id => makeDueNow(destination, id, nowMs)));
  if (next.length > 0 || (conversationId !== undefined && (await findPaused(destination, conversationId)))) {
    await scheduleWakeup(destination, nowMs);
  }
  return true;
}
