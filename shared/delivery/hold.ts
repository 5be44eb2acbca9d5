/** Holds the conversation of an event that cannot be delivered now. */
import { addressOfBot } from '#shared/code/target.ts';
import { type Event, orderOfEvent } from '#shared/dynamodb/chat/events.ts';
import { findEndpointState } from '#shared/dynamodb/endpointState.ts';
import { type Held, holdConversation, lookBy } from '#shared/dynamodb/heldConversations.ts';
import type { Bot } from '#shared/dynamodb/workspace/bots.ts';
import { pauseAfter } from '#shared/queues/backoff.ts';
import { type Attempt, noteRetry } from './attemptEvent.ts';
import { phaseOf } from './breaker.ts';
import { ATTEMPTS, LONGEST_WAIT_MS } from './limits.ts';
import { settle } from './outcome.ts';

/** The end of a slow call, or of a rollout, lets the next conversation in at once; this is for one whose end was not seen. */
const BUSY_LOOK_MS = 5_000;

/** An event at the head of its conversation, with what has been done for it. */
export type Head = Pick<Held, 'eventId' | 'sinceMs' | 'attempts'>;

/**
 * Holds the conversation of an event after an attempt that did not settle it, or fails the event if that was the last.
 * @param head as it was before the attempt
 * @param seen the conversation, if it is held already
 * @returns whether the conversation is held
 */
export async function holdUnlessLast(
  bot: Bot,
  event: Event,
  { attempt, head, seen }: { attempt: Exclude<Attempt, { kind: 'settled' }>; head: Head; seen: Held | undefined },
): Promise<boolean> {
  const { id: botId } = bot;
  const { reason } = attempt;
  const nowMs = Date.now();
  const attempts = head.attempts + (attempt.kind === 'failed' ? 1 : 0);
  const isLast = attempt.kind === 'failed' ? attempts >= ATTEMPTS : nowMs - head.sinceMs >= LONGEST_WAIT_MS;
  if (isLast) {
    await settle(botId, event, 'failed', `Gave up after ${attempts} attempts: ${reason}`);
    return false;
  }
  if (attempt.kind === 'failed') await noteRetry(botId, event, reason);
  // One that was not called keeps its turn: the longest held goes first.
  const nextMs = attempt.kind === 'failed' ? nowMs + pauseAfter(attempts) : head.sinceMs;
  const held = { ...orderOf(event), ...head, attempts, nextMs };
  await holdConversation(botId, held, seen);

  // Read after the write, so that of this and of whoever stops looking, one sees the other.
  const { breaker, timerMs } = await findEndpointState(botId, addressOfBot(bot), { nowMs, isConsistent: true });
  const readyMs = attempt.kind === 'failed' ? nextMs : attempt.for === 'breaker' ? nowMs : nowMs + BUSY_LOOK_MS;
  const lookMs = phaseOf(breaker, nowMs) === 'open' ? breaker!.openUntilMs : readyMs;
  if (timerMs === undefined || timerMs > lookMs) await lookBy(botId, lookMs);
  return true;
}

function orderOf({ id }: Event) {
  const { conversationId, position } = orderOfEvent(id);
  return { conversationId, firstPosition: position };
}
