import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { endDrain, findEndpointState, startDrain } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import { findHeld, listHeldSince, listReady } from '#shared/storage/dynamodb/delivery/pausedConversations.ts';
import { type Lane, parseLane } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { enqueueDrain } from '#shared/storage/queues/deliveries.ts';
import { phaseOf } from './breaker.ts';
import { findAddress } from './destinations.ts';
import { CONCURRENT_RESUMES, MAX_WAIT_MS } from './limits.ts';

/** Exceeds a job's usual wait in the queue. After it, an unsent job is started again. */
export const START_LEASE_MS = 60_000;

/**
 * Starts jobs that resume paused conversations, longest paused first. While the endpoint is down: of expired ones, or a
 * probe if `mayProbe`.
 */
export async function startResumes(destination: Lane, upTo: number, { mayProbe = false } = {}): Promise<void> {
  const nowMs = clock.now();
  const { isGone, address } = await findAddress(destination);
  if (isGone) return;
  const { breaker, draining, slowCalls } = await findEndpointState(destination, address, {
    nowMs,
    isConsistent: true,
  });
  const phase = phaseOf(breaker, nowMs);
  const isProbe = phase === 'halfOpen' && mayProbe;
  // A probe is a single call, regardless of the others.
  const room = isProbe ? 1 : Math.min(upTo, CONCURRENT_RESUMES - draining.size);
  if (room <= 0) return;
  const isCalling = isProbe || (phase === 'closed' && slowCalls < environment.slowCallsPerBot);
  const limit = room + draining.size;
  const candidates = isCalling
    ? await listReady(destination, nowMs, limit)
    : await listHeldSince(destination, nowMs - MAX_WAIT_MS, limit);
  let started = 0;
  for (const { conversationId } of candidates) {
    if (started === room) return;
    if (draining.has(conversationId)) continue;
    if (await startOne(destination, conversationId, nowMs)) started++;
  }
}

async function startOne(destination: Lane, conversationId: string, nowMs: number): Promise<boolean> {
  if (!(await startDrain(destination, conversationId, { nowMs, untilMs: nowMs + START_LEASE_MS }))) return false;
  const pause = await findHeld(destination, conversationId);
  if (pause) {
    await enqueueDrain({ ...parseLane(destination), conversationId, firstPosition: pause.firstPosition });
    return true;
  }
  // The index lagged behind.
  await endDrain(destination, conversationId);
  return false;
}
