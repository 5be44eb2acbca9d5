import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { endResume, findEndpointState, startResume } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import { findPaused, listPausedSince, listReady } from '#shared/storage/dynamodb/delivery/pausedConversations.ts';
import { type Destination, parseDestination } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { enqueueResume } from '#shared/storage/queues/deliveryJobs.ts';
import { phaseOf } from './breaker.ts';
import { findAddress } from './deliveryAddress.ts';
import { CONCURRENT_RESUMES, MAX_WAIT_MS } from './deliveryLimits.ts';

/** Exceeds a job's usual wait in the queue. After it, an unsent job is started again. */
export const START_LEASE_MS = 60_000;

/**
 * Starts jobs that resume paused conversations, longest paused first. While the endpoint is down, resumes only
 * conversations whose retry period has ended, or a probe if `mayProbe`.
 */
export async function startResumes(destination: Destination, upTo: number, { mayProbe = false } = {}): Promise<void> {
  const nowMs = clock.now();
  const { isGone, address } = await findAddress(destination);
  if (isGone) return;
  const { breaker, resuming, slowCalls } = await findEndpointState(destination, address, {
    nowMs,
    isConsistent: true,
  });
  const phase = phaseOf(breaker, nowMs);
  const isProbe = phase === 'halfOpen' && mayProbe;
  // A probe is a single call, regardless of other resuming jobs.
  const room = isProbe ? 1 : Math.min(upTo, CONCURRENT_RESUMES - resuming.size);
  if (room <= 0) return;
  const isCalling = isProbe || (phase === 'closed' && slowCalls < environment.slowCallsPerBot);
  const limit = room + resuming.size;
  const candidates = isCalling
    ? await listReady(destination, nowMs, limit)
    : await listPausedSince(destination, nowMs - MAX_WAIT_MS, limit);
  let started = 0;
  for (const { conversationId } of candidates) {
    if (started === room) return;
    if (resuming.has(conversationId)) continue;
    if (await startOne(destination, conversationId, nowMs)) started++;
  }
}

async function startOne(destination: Destination, conversationId: string, nowMs: number): Promise<boolean> {
  if (!(await startResume(destination, conversationId, { nowMs, untilMs: nowMs + START_LEASE_MS }))) return false;
  const pause = await findPaused(destination, conversationId);
  if (pause) {
    await enqueueResume({ ...parseDestination(destination), conversationId, firstPosition: pause.firstPosition });
    return true;
  }
  // The index lagged behind.
  await endResume(destination, conversationId);
  return false;
}
