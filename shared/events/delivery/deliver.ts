import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { callTarget } from '#shared/outbound/code/target.ts';
import { botHeaders } from '#shared/outbound/endpoints/headers.ts';
import { signedHeaders } from '#shared/outbound/endpoints/signature.ts';
import { configured, IDENTIFIER } from '#shared/outbound/installations/configure.ts';
import { changeInstallations } from '#shared/outbound/installations/registration.ts';
import { findBotWithDefinition } from '#shared/storage/dynamodb/bots/bots.ts';
import { findHeld, joinHeld } from '#shared/storage/dynamodb/delivery/heldConversations.ts';
import { laneOf } from '#shared/storage/dynamodb/partitioning/lanes.ts';
import type { DeliveryJob } from '#shared/storage/queues/deliveries.ts';
import { attempt, newHead } from './attempt.ts';
import { catchUp } from './catchUp.ts';
import { type DeliveryResult, deliverRegistration } from './deliverRegistration.ts';
import { drain } from './drain.ts';
import { findRecipient } from './prepare.ts';
import { findDelivery, orderOf } from './records.ts';
import { scheduleRetry } from './retry.ts';
import { startDrains } from './startResumes.ts';
import { appendBotLog, reasonOf, verdictOf } from './verdict.ts';

/**
 * Runs a job of the queue, which carries first attempts. Retries wait in the table (docs/api/botChat.md#deliveries).
 */
export async function deliver(
  job: DeliveryJob,
  nth: number,
  timeLeftMs: () => number = () => Number.POSITIVE_INFINITY,
): Promise<DeliveryResult> {
  switch (job.kind) {
    case 'event':
      await deliverOne(job);
      return { kind: 'done' };
    case 'drain':
      await drain(job, timeLeftMs);
      return { kind: 'done' };
    case 'catchUp':
      await catchUp(job, timeLeftMs);
      return { kind: 'done' };
    case 'hook':
      return deliverHook(job, nth);
    case 'identifier':
      await identify(job);
      return { kind: 'done' };
  }
}

async function identify({ botId, webhookId, identifier }: Extract<DeliveryJob, { kind: 'identifier' }>): Promise<void> {
  // Validates again, because the identifier originates from an integration's response.
  if (!IDENTIFIER.test(identifier)) return;
  await changeInstallations(botId, ({ installations }) =>
    installations.map(each => (each.webhookId === webhookId ? configured(each, { identifier }, clock.now()) : each)),
  );
}

/** Makes the first attempt. The FIFO group of the conversation excludes concurrent attempts. */
async function deliverOne({ botId, webhookId, eventId }: Extract<DeliveryJob, { kind: 'event' }>): Promise<void> {
  const lane = laneOf(botId, webhookId);
  const { conversationId, position } = orderOf(eventId);
  const [delivery, recipient, held] = await Promise.all([
    findDelivery(botId, eventId),
    findRecipient(lane),
    findHeld(lane, conversationId),
  ]);
  // Settled by an earlier delivery, or deleted with its bot.
  if (delivery?.status !== 'pending' || !recipient) return;
  // Keeps the order: earlier events are pending.
  if (held && (await joinHeld(lane, held, position))) return;
  const head = newHead(delivery);
  const tried = await attempt(recipient, delivery, head);
  if (tried.kind !== 'settled') {
    await scheduleRetry(recipient, delivery, { attempt: tried, head, seen: undefined });
  }
  if (tried.freed > 0) await startDrains(lane, tried.freed);
}

async function deliverHook(
  { botId, hook, url, installation, version }: Extract<DeliveryJob, { kind: 'hook' }>,
  nth: number,
): Promise<DeliveryResult> {
  if (installation && hook !== 'ping') return deliverRegistration({ botId, hook, installation }, nth);
  const found = await findBotWithDefinition(botId);
  if (!found || url === undefined) return { kind: 'done' };
  const { bot, definition } = found;
  const body = '{}';
  const headers = {
    ...botHeaders(bot, definition, hook, hook),
    ...signedHeaders(bot, { id: `${hook}_${botId}_${version}`, body, nowMs: clock.now() }),
  };
  const outcome = await callTarget(
    { url },
    {
      headers,
      body,
      timeoutMs: environment.deliveryTimeoutMs,
      statusOnly: true,
    },
  );
  const verdict = verdictOf(outcome);
  if (verdict === 'done') return { kind: 'done' };
  const reason = reasonOf(outcome);
  await appendBotLog(botId, 'error', `The ${hook} call to the endpoint of the bot failed: ${reason}`);
  return verdict === 'refused' ? { kind: 'done' } : { kind: 'again', reason };
}
