/**
 * Delivers events and hooks to endpoints. 2xx settles a delivery, 4xx fails it without a retry, and anything else is retried
 * for about three hours (docs/compatibility.md#deliveries).
 */

import { type Event, findEvent, setEventStatus } from '#shared/dynamodb/chat/events.ts';
import { WriteConflict, write } from '#shared/dynamodb/transaction.ts';
import { findBotWithDefinition } from '#shared/dynamodb/workspace/bots.ts';
import { putLogLine } from '#shared/dynamodb/workspace/logs.ts';
import { type CallOutcome, callEndpoint } from '#shared/endpoints/callEndpoint.ts';
import { botHeaders } from '#shared/endpoints/headers.ts';
import { signedHeaders } from '#shared/endpoints/signature.ts';
import { environment } from '#shared/environment.ts';
import { viewEvent } from '#shared/messaging/botViews/event.ts';
import { BOT_SCOPE } from '#shared/messaging/callerScope.ts';
import { payloadOf } from '#shared/messaging/eventPayload.ts';
import type { DeliveryJob } from '#shared/queues/deliveries.ts';
import { QUEUES } from '#shared/queues/settings.ts';
import { askLeave, noteOutcome } from './breaker.ts';
import { type DeliveryResult, deliverRegistration } from './deliverRegistration.ts';

/** @param attempt from 1 */
export const deliver = (job: DeliveryJob, attempt: number): Promise<DeliveryResult> =>
  job.kind === 'event' ? deliverEvent(job, attempt) : deliverHook(job, attempt);

async function deliverEvent(
  { botId, eventId }: Extract<DeliveryJob, { kind: 'event' }>,
  attempt: number,
): Promise<DeliveryResult> {
  const [event, found] = await Promise.all([findEvent(botId, eventId), findBotWithDefinition(botId)]);
  // Settled by an earlier delivery, or deleted with its bot.
  if (event?.status !== 'pending' || !found || found.bot.deletedAtMs !== undefined) return { kind: 'done' };
  const { bot, definition } = found;
  if (!bot.url) return settle(botId, event, 'ignored', 'The bot has no url.');
  const payload = await payloadOf(botId, event);
  if (!payload) return settle(botId, event, 'ignored', 'Its message, user or conversation was deleted.');
  const leave = await askLeave(botId, bot.url);
  if ('pauseMs' in leave) {
    const reason = 'The endpoint is down.';
    await giveUpAfterLast(botId, event, attempt, reason);
    return { kind: 'again', reason, pauseMs: leave.pauseMs };
  }

  const body = JSON.stringify({ event: viewEvent(BOT_SCOPE, event, payload) });
  const headers = {
    ...botHeaders(bot, definition, 'event_received', event.type),
    ...signedHeaders(bot.signingSecrets, { id: event.id, body, nowMs: Date.now() }),
  };
  const outcome = await callEndpoint(bot.url, {
    headers,
    body,
    timeoutMs: environment.deliveryTimeoutMs,
    statusOnly: true,
  });
  await noteOutcome(leave, outcome);
  const verdict = verdictOf(outcome);
  if (verdict === 'done') return settle(botId, event, 'processed');
  const reason = reasonOf(outcome);
  if (verdict === 'refused') return settle(botId, event, 'failed', reason);
  if (await giveUpAfterLast(botId, event, attempt, reason)) return { kind: 'again', reason };
  await note(
    botId,
    'warn',
    `The event ${event.id} (${event.type}) could not be delivered and will be retried: ${reason}`,
  );
  return { kind: 'again', reason };
}

/** Fails the event after its last attempt. @returns whether this was the last */
async function giveUpAfterLast(botId: string, event: Event, attempt: number, reason: string): Promise<boolean> {
  if (attempt < QUEUES.deliveries.maxReceives) return false;
  await settle(botId, event, 'failed', `Gave up after ${attempt} attempts: ${reason}`);
  return true;
}

async function deliverHook(
  { botId, hook, url, installation, version }: Extract<DeliveryJob, { kind: 'hook' }>,
  attempt: number,
): Promise<DeliveryResult> {
  if (installation && hook !== 'ping') return deliverRegistration({ botId, hook, installation }, attempt);
  const found = await findBotWithDefinition(botId);
  if (!found) return { kind: 'done' };
  const { bot, definition } = found;
  const body = '{}';
  const headers = {
    ...botHeaders(bot, definition, hook, hook),
    ...signedHeaders(bot.signingSecrets, { id: `${hook}_${botId}_${version}`, body, nowMs: Date.now() }),
  };
  const outcome = await callEndpoint(url, {
    headers,
    body,
    timeoutMs: environment.deliveryTimeoutMs,
    statusOnly: true,
  });
  const verdict = verdictOf(outcome);
  if (verdict === 'done') return { kind: 'done' };
  const reason = reasonOf(outcome);
  await note(botId, 'error', `The ${hook} call to the endpoint of the bot failed: ${reason}`);
  return verdict === 'refused' ? { kind: 'done' } : { kind: 'again', reason };
}

/** Maps an outcome to what happens next. */
function verdictOf(outcome: CallOutcome): 'done' | 'refused' | 'again' {
  if (outcome.kind !== 'answered') return 'again';
  const { status } = outcome;
  if (status >= 200 && status < 300) return 'done';
  return status >= 400 && status < 500 ? 'refused' : 'again';
}

function reasonOf(outcome: CallOutcome): string {
  switch (outcome.kind) {
    case 'timedOut':
      return `The endpoint did not answer within ${environment.deliveryTimeoutMs / 1000} seconds.`;
    case 'failed':
      return `The endpoint could not be called: ${outcome.reason}.`;
    case 'answered': {
      const excerpt = outcome.text.slice(0, 500);
      return `The endpoint answered ${outcome.status}${excerpt ? `: ${excerpt}` : '.'}`;
    }
  }
}

async function settle(
  botId: string,
  event: Event,
  status: 'processed' | 'failed' | 'ignored',
  failureReason?: string,
): Promise<DeliveryResult> {
  try {
    await write([
      setEventStatus(botId, event, status, () => new WriteConflict(), failureReason ? { failureReason } : {}),
    ]);
  } catch (error) {
    // A parallel delivery settled it first.
    if (!(error instanceof WriteConflict)) throw error;
    return { kind: 'done' };
  }
  if (status === 'failed') await note(botId, 'error', `The event ${event.id} (${event.type}) failed: ${failureReason}`);
  return { kind: 'done' };
}

const note = (botId: string, level: 'warn' | 'error', message: string) =>
  write([putLogLine(botId, { timestampMs: Date.now(), level, message })]);
