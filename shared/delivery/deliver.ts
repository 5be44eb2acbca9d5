/**
 * Sending to an endpoint, and what comes of it (FACTS 1.4): 2xx is done, 4xx has failed and is not repeated, whatever else
 * is repeated for some hours, ever more rarely.
 */
import type { BotDefinition } from '#shared/dynamodb/workspace/botDefinition.ts';
import { viewEvent } from '#shared/botChat/views/event.ts';
import { type Event, findEvent, setEventStatus } from '#shared/dynamodb/chat/events.ts';
import { WriteConflict, write } from '#shared/dynamodb/transaction.ts';
import { findBotWithDefinition, labelOf } from '#shared/dynamodb/workspace/bots.ts';
import { findIntegration } from '#shared/dynamodb/workspace/integrations.ts';
import { putLogLine } from '#shared/dynamodb/workspace/logs.ts';
import { type CallOutcome, callEndpoint } from '#shared/endpoints/callEndpoint.ts';
import { botHeaders, integrationHeaders } from '#shared/endpoints/headers.ts';
import { signedHeaders } from '#shared/endpoints/signature.ts';
import { environment } from '#shared/environment.ts';
import type { DeliveryJob } from '#shared/queues/deliveries.ts';
import { payloadOf } from './payload.ts';

/** How often something is sent before it is given up, and how long between: about three hours in all. */
export const ATTEMPTS = 24;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** A pause that doubles, and is between half of that and all, so that what failed together does not come together again. */
export function pauseAfter(attempt: number, random = Math.random()): number {
  const pauseMs = Math.min(environment.firstPauseMs * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
  return Math.round(pauseMs * (0.5 + random / 2));
}

export type Delivered = { kind: 'done' } | { kind: 'again'; reason: string };

/** Sends what a job says. @param attempt the how-manieth time, from 1 */
export const deliver = (job: DeliveryJob, attempt: number): Promise<Delivered> =>
  job.kind === 'event' ? deliverEvent(job, attempt) : deliverHook(job);

async function deliverEvent(
  { botId, eventId }: Extract<DeliveryJob, { kind: 'event' }>,
  attempt: number,
): Promise<Delivered> {
  const [event, found] = await Promise.all([findEvent(botId, eventId), findBotWithDefinition(botId)]);
  // Done before, or gone with its bot.
  if (event?.status !== 'pending' || !found || found.bot.deletedAtMs !== undefined) return { kind: 'done' };
  const { bot, definition } = found;
  if (!bot.url) return settle(botId, event, 'ignored', 'The bot has no url.');
  const payload = await payloadOf(botId, event);
  if (!payload) return settle(botId, event, 'ignored', 'What it is about was deleted.');

  const body = JSON.stringify({ event: viewEvent(event, payload) });
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
  const verdict = verdictOf(outcome);
  if (verdict === 'done') return settle(botId, event, 'processed');
  const reason = reasonOf(outcome);
  if (verdict === 'refused') return settle(botId, event, 'failed', reason);
  if (attempt >= ATTEMPTS) {
    await settle(botId, event, 'failed', `Given up after ${attempt} attempts: ${reason}`);
    return { kind: 'again', reason };
  }
  await note(botId, 'warn', `The event ${event.id} (${event.type}) could not be sent: ${reason} It is sent again.`);
  return { kind: 'again', reason };
}

async function deliverHook({
  botId,
  hook,
  url,
  installation,
  version,
}: Extract<DeliveryJob, { kind: 'hook' }>): Promise<Delivered> {
  const [found, integration] = await Promise.all([
    findBotWithDefinition(botId),
    installation && findIntegration(installation.integrationId),
  ]);
  if (!found) return { kind: 'done' };
  const { bot, definition } = found;
  const body = '{}';
  const id = `${hook}_${botId}_${installation?.alias ?? ''}_${version}`;
  const headers = {
    ...(installation
      ? integrationHeaders(bot, installation, definition, hook, hook)
      : botHeaders(bot, definition, hook, hook)),
    ...signedHeaders(integration?.signingSecrets ?? bot.signingSecrets, { id, body, nowMs: Date.now() }),
  };
  const outcome = await callEndpoint(url, {
    headers,
    body,
    timeoutMs: environment.deliveryTimeoutMs,
    statusOnly: true,
  });
  const verdict = verdictOf(outcome);
  if (verdict === 'done') return { kind: 'done' };
  const whose = installation ? `the integration ${labelOf(installation)}` : 'the bot';
  const reason = reasonOf(outcome);
  await note(botId, 'error', `The endpoint of ${whose} could not be told (${hook}): ${reason}`);
  return verdict === 'refused' ? { kind: 'done' } : { kind: 'again', reason };
}

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
      const logMessages = outcome.text.slice(0, 500);
      return `The endpoint answered ${outcome.status}${logMessages ? `: ${logMessages}` : '.'}`;
    }
  }
}

async function settle(
  botId: string,
  event: Event,
  status: 'processed' | 'failed' | 'ignored',
  failureReason?: string,
): Promise<Delivered> {
  try {
    await write([
      setEventStatus(botId, event, status, () => new WriteConflict(), failureReason ? { failureReason } : {}),
    ]);
  } catch (error) {
    // Another delivery of the same has settled it.
    if (!(error instanceof WriteConflict)) throw error;
    return { kind: 'done' };
  }
  if (status === 'failed') await note(botId, 'error', `The event ${event.id} (${event.type}) failed: ${failureReason}`);
  return { kind: 'done' };
}

const note = (botId: string, level: 'warn' | 'error', message: string) =>
  write([putLogLine(botId, { timestampMs: Date.now(), level, message })]);
