/** One attempt to deliver an event to its bot's endpoint. */

import { addressOf, callTarget, isReachable, targetOf } from '#shared/code/target.ts';
import type { Event } from '#shared/dynamodb/chat/events.ts';
import { endSlowCall, findEndpointState, startSlowCall } from '#shared/dynamodb/endpointState.ts';
import type { BotDefinition } from '#shared/dynamodb/workspace/botDefinition.ts';
import type { Bot } from '#shared/dynamodb/workspace/bots.ts';
import type { CallOutcome } from '#shared/endpoints/callEndpoint.ts';
import { botHeaders } from '#shared/endpoints/headers.ts';
import { signedHeaders } from '#shared/endpoints/signature.ts';
import { environment } from '#shared/environment.ts';
import { randomText } from '#shared/ids.ts';
import { errorFields, log } from '#shared/log.ts';
import { viewEvent } from '#shared/messaging/botViews/event.ts';
import { BOT_SCOPE } from '#shared/messaging/callerScope.ts';
import { payloadOf } from '#shared/messaging/eventPayload.ts';
import { askLeave, noteOutcome } from './breaker.ts';
import { DRAINS_AT_ONCE } from './limits.ts';
import { note, reasonOf, settle, verdictOf } from './outcome.ts';

/** Settled; or not called, because the endpoint is down or busy; or called in vain. */
export type Attempt = (
  | { kind: 'settled' }
  | { kind: 'waits'; for: 'breaker' | 'slowCalls' | 'code'; reason: string }
  | { kind: 'failed'; reason: string }
) & {
  /** So many held conversations may be tried now. */
  freed: number;
};

/** A call that lasts longer is counted against the bot's limit. Most answer sooner, and cost no write. */
const SLOW_MS = 2_000;
/** After its own time-out, a call has ended. */
const SLOW_CALL_RESERVE_MS = 15_000;

export async function attemptEvent(
  { bot, definition }: { bot: Bot; definition: BotDefinition },
  event: Event,
): Promise<Attempt> {
  const { id: botId } = bot;
  const target = targetOf('bot', bot);
  const settled = async (
    ...how: Parameters<typeof settle> extends [unknown, unknown, ...infer Rest] ? Rest : never
  ) => {
    await settle(botId, event, ...how);
    return { kind: 'settled' as const };
  };
  if (!target) {
    if (isReachable(bot)) return { kind: 'waits', for: 'code', reason: 'The code is being deployed.', freed: 0 };
    return { ...(await settled('ignored', 'The bot has neither a url nor code that runs.')), freed: 0 };
  }
  const address = addressOf(target);
  const [payload, state] = await Promise.all([
    payloadOf(botId, event),
    findEndpointState(botId, address, { nowMs: Date.now() }),
  ]);
  if (!payload) return { ...(await settled('ignored', 'Its message, user or conversation was deleted.')), freed: 0 };
  if (state.slowCalls >= environment.slowCallsPerBot) {
    return { kind: 'waits', for: 'slowCalls', reason: 'The endpoint has too many slow calls in progress.', freed: 0 };
  }
  const leave = await askLeave(botId, address, state.breaker);
  if (!leave) return { kind: 'waits', for: 'breaker', reason: 'The endpoint is down.', freed: 0 };

  const body = JSON.stringify({ event: viewEvent(BOT_SCOPE, event, payload) });
  const headers = {
    ...botHeaders(bot, definition, 'event_received', event.type),
    ...signedHeaders(bot.signingSecrets, { id: event.id, body, nowMs: Date.now() }),
  };
  const { outcome, wasSlow } = await countingSlow(botId, () =>
    callTarget(target, {
      headers,
      body,
      timeoutMs: environment.deliveryTimeoutMs,
      statusOnly: true,
      about: event.id,
    }),
  );
  const hasRecovered = await noteOutcome(leave, outcome);
  const freed = hasRecovered ? DRAINS_AT_ONCE : wasSlow ? 1 : 0;
  const verdict = verdictOf(outcome);
  if (verdict === 'done') return { ...(await settled('processed')), freed };
  const reason = reasonOf(outcome);
  if (verdict === 'refused') return { ...(await settled('failed', reason)), freed };
  return { kind: 'failed', reason, freed };
}

/** Counts a call among the bot's slow ones while it is one. */
async function countingSlow(
  botId: string,
  call: () => Promise<CallOutcome>,
): Promise<{ outcome: CallOutcome; wasSlow: boolean }> {
  const callId = randomText(12);
  let counted: Promise<void> | undefined;
  const timer = setTimeout(() => {
    const untilMs = Date.now() + environment.deliveryTimeoutMs + SLOW_CALL_RESERVE_MS;
    // The call matters more than its count.
    counted = startSlowCall(botId, callId, untilMs).catch(error =>
      log.warn('A slow call could not be counted.', { botId, error: errorFields(error) }),
    );
  }, SLOW_MS);
  const outcome = await call();
  clearTimeout(timer);
  if (!counted) return { outcome, wasSlow: false };
  await counted;
  await endSlowCall(botId, callId);
  return { outcome, wasSlow: true };
}

/** Tells the bot's log of an attempt that will be repeated. */
export const noteRetry = (botId: string, event: Event, reason: string) =>
  note(botId, 'warn', `The event ${event.id} (${event.type}) could not be delivered and will be retried: ${reason}`);
