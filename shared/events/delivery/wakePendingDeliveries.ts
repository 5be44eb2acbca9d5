import { clock } from '#shared/core/clock.ts';
import { findEndpointState } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import {
  clearWakeup,
  hasHeldConversations,
  listNext,
  makeDueNow,
  scheduleWakeup,
} from '#shared/storage/dynamodb/delivery/heldConversations.ts';
import type { Lane } from '#shared/storage/dynamodb/partitioning/lanes.ts';
import { findTimer, moveTimer, type Timer } from '#shared/storage/dynamodb/timers.ts';
import { tryWrite } from '#shared/storage/dynamodb/transaction.ts';
import { phaseOf } from './breaker.ts';
import { CONCURRENT_DRAINS } from './limits.ts';
import { findAddress } from './prepare.ts';
import { startDrains } from './startResumes.ts';

/** Maximum poll interval while anything is held, unless the breaker is open for longer. */
const POLL_MS = 30_000;

/** Starts drains, probes a paused endpoint, and recovers drains of crashed processes. Idempotent. */
export async function wakePendingDeliveries(
  lane: Lane,
  timer: Timer,
  nowMs: number,
): Promise<'done' | 'gone' | 'later'> {
  const current = await findTimer(timer);
  // A moved timer is enqueued again by the change that moved it.
  if (current && (current.dueMs !== timer.dueMs || timer.dueMs > nowMs)) return 'later';
  if ((await findAddress(lane)).isGone) {
    if (current) await clearWakeup(lane, current.dueMs);
    return 'gone';
  }
  const againMs = nowMs + POLL_MS;
  // First, so that a concurrent hold can set an earlier time, and a crash leaves a timer.
  if (current && !(await tryWrite(moveTimer(timer, againMs)))) return 'later';
  if (!(await hasHeldConversations(lane))) {
    if (current) await clearWakeup(lane, againMs);
    // A concurrent hold reads the timer after its write: it sees this deletion, or is seen by this read.
    if (await hasHeldConversations(lane)) await scheduleWakeup(lane, nowMs);
    return 'gone';
  }
  if (!current) await scheduleWakeup(lane, againMs);

  await startDrains(lane, CONCURRENT_DRAINS, { mayProbe: true });
  const { address } = await findAddress(lane);
  const { breaker } = await findEndpointState(lane, address, { nowMs, isConsistent: true });
  const [next] = await listNext(lane, nowMs, 1);
  const isOpen = phaseOf(breaker, nowMs) === 'open';
  const nextMs = isOpen ? breaker!.openUntilMs : Math.min(next?.atMs ?? againMs, againMs);
  // Fails if an earlier time was set concurrently.
  if (nextMs !== againMs) await tryWrite(moveTimer({ ...timer, dueMs: againMs }, nextMs));
  return 'done';
}

/** Conversations whose pauses are cut short. Others wait for theirs, up to 15 minutes. */
const BROUGHT_FORWARD = 500;

/** Retries pending deliveries of a lane after a change of its endpoint. They are ignored if it has none. */
export async function retryHeld(lane: Lane): Promise<void> {
  if (!(await hasHeldConversations(lane))) return;
  const nowMs = clock.now();
  for (const { conversationId } of await listNext(lane, nowMs, BROUGHT_FORWARD)) {
    await makeDueNow(lane, conversationId, nowMs);
  }
  await scheduleWakeup(lane, nowMs);
}
