/**
 * A lane's timer for the conversations that are held: one for all of them. It lets those in that may be tried again,
 * has one of them probe an endpoint whose pause has ended, and takes up what a process that died has left.
 */
import { clock } from '#shared/core/clock.ts';
import { findEndpointState } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import {
  bringForward,
  isAnythingHeld,
  listNext,
  scheduleWakeup,
  stopLooking,
} from '#shared/storage/dynamodb/delivery/heldConversations.ts';
import type { Lane } from '#shared/storage/dynamodb/lanes.ts';
import { findTimer, moveTimer, type Timer } from '#shared/storage/dynamodb/timers.ts';
import { tryWrite } from '#shared/storage/dynamodb/transaction.ts';
import { phaseOf } from './breaker.ts';
import { DRAINS_AT_ONCE } from './limits.ts';
import { findAddress } from './recipients.ts';
import { startDrains } from './startDrains.ts';

/** While anything is held, somebody looks at least so often, unless the endpoint is left alone for longer. */
const LOOK_AGAIN_MS = 30_000;

/**
 * Fires the timer of a lane's held conversations. Idempotent.
 * @returns `gone` when nothing is held, `later` when the timer was moved
 */
export async function wakePendingDeliveries(
  lane: Lane,
  timer: Timer,
  nowMs: number,
): Promise<'done' | 'gone' | 'later'> {
  const current = await findTimer(timer);
  // A moved timer is enqueued again by the change that moved it.
  if (current && (current.dueMs !== timer.dueMs || timer.dueMs > nowMs)) return 'later';
  // The sweep of a deleted bot takes what it held.
  if ((await findAddress(lane)).isGone) {
    if (current) await stopLooking(lane, current.dueMs);
    return 'gone';
  }
  const againMs = nowMs + LOOK_AGAIN_MS;
  // First, so that whoever holds a conversation from now on sets an earlier time, and this process may die.
  if (current && !(await tryWrite(moveTimer(timer, againMs)))) return 'later';
  if (!(await isAnythingHeld(lane))) {
    if (current) await stopLooking(lane, againMs);
    // Whoever holds a conversation looks for the timer after that: of the two, one sees the other.
    if (await isAnythingHeld(lane)) await scheduleWakeup(lane, nowMs);
    return 'gone';
  }
  if (!current) await scheduleWakeup(lane, againMs);

  await startDrains(lane, DRAINS_AT_ONCE, { mayProbe: true });
  const { address } = await findAddress(lane);
  const { breaker } = await findEndpointState(lane, address, { nowMs, isConsistent: true });
  const [next] = await listNext(lane, nowMs, 1);
  const isOpen = phaseOf(breaker, nowMs) === 'open';
  const nextMs = isOpen ? breaker!.openUntilMs : Math.min(next?.atMs ?? againMs, againMs);
  // Refused when somebody set an earlier time meanwhile.
  if (nextMs !== againMs) await tryWrite(moveTimer({ ...timer, dueMs: againMs }, nextMs));
  return 'done';
}

/** Conversations whose pauses are cut short at once. Others wait for theirs, a quarter of an hour at most. */
const BROUGHT_FORWARD = 500;

/** What waits in a lane may be tried at another one, or, without any, is ignored. */
export async function retryHeld(lane: Lane): Promise<void> {
  if (!(await isAnythingHeld(lane))) return;
  const nowMs = clock.now();
  for (const { conversationId } of await listNext(lane, nowMs, BROUGHT_FORWARD)) {
    await bringForward(lane, conversationId, nowMs);
  }
  await scheduleWakeup(lane, nowMs);
}
