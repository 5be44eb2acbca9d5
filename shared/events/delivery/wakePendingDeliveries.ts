import { clock } from '#shared/core/clock.ts';
import { findEndpointState } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import {
  clearWakeup,
  hasPausedConversations,
  listNext,
  makeDueNow,
  scheduleWakeup,
} from '#shared/storage/dynamodb/delivery/pausedConversations.ts';
import { tryWrite } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { Destination } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { findTimer, moveTimer, type Timer } from '#shared/storage/dynamodb/timers/timers.ts';
import { phaseOf } from './breaker.ts';
import { findAddress } from './deliveryAddress.ts';
import { CONCURRENT_RESUMES } from './deliveryLimits.ts';
import { startResumes } from './startResumes.ts';

/** Maximum poll interval while a conversation is paused, unless the breaker is open for longer. */
const POLL_MS = 30_000;

/** Resumes conversations, including those of crashed processes, and probes an endpoint that is down. Idempotent. */
export async function wakePendingDeliveries(
  destination: Destination,
  timer: Timer,
  nowMs: number,
): Promise<'done' | 'gone' | 'later'> {
  const current = await findTimer(timer);
  // A moved timer is enqueued again by the change that moved it.
  if (current && (current.dueMs !== timer.dueMs || timer.dueMs > nowMs)) return 'later';
  if ((await findAddress(destination)).isGone) {
    if (current) await clearWakeup(destination, current.dueMs);
    return 'gone';
  }
  const againMs = nowMs + POLL_MS;
  // Moves the timer first, so that a concurrent pause can set an earlier time, and a timer remains after a crash.
  if (current && !(await tryWrite(moveTimer(timer, againMs)))) return 'later';
  if (!(await hasPausedConversations(destination))) {
    if (current) await clearWakeup(destination, againMs);
    // A concurrent pause reads the timer after its write: either it sees this deletion, or this read sees the pause.
    if (await hasPausedConversations(destination)) await scheduleWakeup(destination, nowMs);
    return 'gone';
  }
  if (!current) await scheduleWakeup(destination, againMs);

  await startResumes(destination, CONCURRENT_RESUMES, { mayProbe: true });
  const { address } = await findAddress(destination);
  const { breaker } = await findEndpointState(destination, address, { nowMs, isConsistent: true });
  const [next] = await listNext(destination, nowMs, 1);
  const isOpen = phaseOf(breaker, nowMs) === 'open';
  const nextMs = isOpen ? breaker!.openUntilMs : Math.min(next?.atMs ?? againMs, againMs);
  // Fails if an earlier time was set concurrently.
  if (nextMs !== againMs) await tryWrite(moveTimer({ ...timer, dueMs: againMs }, nextMs));
  return 'done';
}

/** Maximum number of conversations to resume early. Others resume at the end of their pause, up to 15 minutes later. */
const BROUGHT_FORWARD = 500;

/** Retries pending deliveries of a destination after a change of its endpoint. They are ignored if it has none. */
export async function retryPaused(destination: Destination): Promise<void> {
  if (!(await hasPausedConversations(destination))) return;
  const nowMs = clock.now();
  for (const { conversationId } of await listNext(destination, nowMs, BROUGHT_FORWARD)) {
    await makeDueNow(destination, conversationId, nowMs);
  }
  await scheduleWakeup(destination, nowMs);
}
