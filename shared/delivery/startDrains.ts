/** Lets held conversations in: as many at once as a bot may have, those that have waited longest first. */
import { addressOfBot } from '#shared/code/target.ts';
import { endDrain, findEndpointState, startDrain } from '#shared/dynamodb/endpointState.ts';
import { findHeld, listHeldSince, listReady } from '#shared/dynamodb/heldConversations.ts';
import { findBot } from '#shared/dynamodb/workspace/bots.ts';
import { environment } from '#shared/environment.ts';
import { enqueueDrain } from '#shared/queues/deliveries.ts';
import { phaseOf } from './breaker.ts';
import { DRAINS_AT_ONCE, LONGEST_WAIT_MS } from './limits.ts';

/** Longer than a job usually waits in the queue; after it, one that was never sent is started again. */
export const START_LEASE_MS = 60_000;

/**
 * Starts the drains of some held conversations of a bot. While the endpoint is down, only of those whose time is up.
 * @param upTo so many
 * @param mayProbe when the endpoint's pause has ended, one drain tries it
 */
export async function startDrains(botId: string, upTo: number, { mayProbe = false } = {}): Promise<void> {
  const nowMs = Date.now();
  const bot = await findBot(botId);
  if (!bot || bot.deletedAtMs !== undefined) return;
  const { breaker, draining, slowCalls } = await findEndpointState(botId, addressOfBot(bot), {
    nowMs,
    isConsistent: true,
  });
  const phase = phaseOf(breaker, nowMs);
  const isProbe = phase === 'halfOpen' && mayProbe;
  // A probe is one, whatever else is under way.
  const room = isProbe ? 1 : Math.min(upTo, DRAINS_AT_ONCE - draining.size);
  if (room <= 0) return;
  const isCalling = isProbe || (phase === 'closed' && slowCalls < environment.slowCallsPerBot);
  const looked = room + draining.size;
  const candidates = isCalling
    ? await listReady(botId, nowMs, looked)
    : await listHeldSince(botId, nowMs - LONGEST_WAIT_MS, looked);
  let started = 0;
  for (const { conversationId } of candidates) {
    if (started === room) return;
    if (draining.has(conversationId)) continue;
    if (await startOne(botId, conversationId, nowMs)) started++;
  }
}

async function startOne(botId: string, conversationId: string, nowMs: number): Promise<boolean> {
  if (!(await startDrain(botId, conversationId, { nowMs, untilMs: nowMs + START_LEASE_MS }))) return false;
  const held = await findHeld(botId, conversationId);
  if (held) {
    await enqueueDrain({ botId, conversationId, firstPosition: held.firstPosition });
    return true;
  }
  // The index was behind.
  await endDrain(botId, conversationId);
  return false;
}
