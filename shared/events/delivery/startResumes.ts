import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { endDrain, findEndpointState, startDrain } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import { findHeld, listHeldSince, listReady } from '#shared/storage/dynamodb/delivery/heldConversations.ts';
import { type Lane, parseLane } from '#shared/storage/dynamodb/partitioning/lanes.ts';
import { enqueueDrain } from '#shared/storage/queues/deliveries.ts';
import { phaseOf } from './breaker.ts';
import { CONCURRENT_DRAINS, MAX_WAIT_MS } from './limits.ts';
import { findAddress } from './prepare.ts';

/** Exceeds a job's usual wait in the queue. After it, an unsent job is started again. */
export const START_LEASE_MS = 60_000;

/** Starts drains, longest waiting first. While the endpoint is down: of expired ones, or a probe if `mayProbe`. */
export async function startDrains(lane: Lane, upTo: number, { mayProbe = false } = {}): Promise<void> {
  const nowMs = clock.now();
  const { isGone, address } = await findAddress(lane);
  if (isGone) return;
  const { breaker, draining, slowCalls } = await findEndpointState(lane, address, {
    nowMs,
    isConsistent: true,
  });
  const phase = phaseOf(breaker, nowMs);
  const isProbe = phase === 'halfOpen' && mayProbe;
  // A probe is a single call, regardless of running drains.
  const room = isProbe ? 1 : Math.min(upTo, CONCURRENT_DRAINS - draining.size);
  if (room <= 0) return;
  const isCalling = isProbe || (phase === 'closed' && slowCalls < environment.slowCallsPerBot);
  const looked = room + draining.size;
  const candidates = isCalling
    ? await listReady(lane, nowMs, looked)
    : await listHeldSince(lane, nowMs - MAX_WAIT_MS, looked);
  let started = 0;
  for (const { conversationId } of candidates) {
    if (started === room) return;
    if (draining.has(conversationId)) continue;
    if (await startOne(lane, conversationId, nowMs)) started++;
  }
}

async function startOne(lane: Lane, conversationId: string, nowMs: number): Promise<boolean> {
  if (!(await startDrain(lane, conversationId, { nowMs, untilMs: nowMs + START_LEASE_MS }))) return false;
  const held = await findHeld(lane, conversationId);
  if (held) {
    await enqueueDrain({ ...parseLane(lane), conversationId, firstPosition: held.firstPosition });
    return true;
  }
  // The index lagged behind.
  await endDrain(lane, conversationId);
  return false;
}
