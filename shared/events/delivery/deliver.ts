/**
 * Calls the endpoint of a bot or integration with the events of each conversation in order, with retries. A failed
 * event pauses its conversation: it and later events stay pending, and a job resumes them. The jobs of a conversation
 * share a FIFO group, so attempts never run concurrently. A resuming job may crash at any point and run again:
 *
 * - Before the end of the pause, the conversation is still paused. A later job resumes with the pending events.
 * - An event that arrives as the pause ends is found by the last read, or its own job runs afterwards.
 * - After the end of the pause, the repeated job reads again from `firstPosition`.
 */
import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { findBotWithDefinition } from '#shared/storage/dynamodb/bots/bots.ts';
import { endResume, prolongResume } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import {
  endPause,
  findPaused,
  joinPaused,
  pauseConversation,
} from '#shared/storage/dynamodb/delivery/pausedConversations.ts';
import { retryConflicts } from '#shared/storage/dynamodb/engine/transaction.ts';
import { destinationOf } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { type DeliveryJob, enqueueResume, type ResumeJob } from '#shared/storage/queues/deliveryJobs.ts';
import { attempt } from './attempt.ts';
import { catchUp } from './catchUp.ts';
import { deliverHook, storeIdentifier } from './deliverHook.ts';
import type { HookResult } from './deliverRegistration.ts';
import { type Delivery, findDelivery, listPending, orderOf } from './deliveryRecords.ts';
import { type FoundBot, prepare } from './prepare.ts';
import { record } from './record.ts';
import { newHistory, type Retry } from './retry.ts';
import { START_LEASE_MS, startResumes } from './startResumes.ts';

const DONE = { kind: 'done' } as const;

/**
 * Runs a job of the queue, which carries first attempts. Retries wait in the table (docs/api/botChat.md#deliveries).
 * @param nth counts the job's runs from 1
 */
export async function deliver(
  job: DeliveryJob,
  nth: number,
  timeLeftMs: () => number = () => Number.POSITIVE_INFINITY,
): Promise<HookResult> {
  switch (job.kind) {
    case 'event':
      await deliverNew(job);
      return DONE;
    case 'drain':
      await resume(job, timeLeftMs);
      return DONE;
    case 'catchUp':
      await catchUp(job, timeLeftMs);
      return DONE;
    case 'hook':
      return deliverHook(job, nth);
    case 'identifier':
      await storeIdentifier(job);
      return DONE;
  }
}

/** Makes the first attempt at an event. */
async function deliverNew({ botId, webhookId, eventId }: Extract<DeliveryJob, { kind: 'event' }>): Promise<void> {
  const destination = destinationOf(botId, webhookId);
  const { conversationId, position } = orderOf(eventId);
  const [delivery, bot, pause] = await Promise.all([
    findDelivery(botId, eventId),
    findBot(botId),
    findPaused(destination, conversationId),
  ]);
  // Completed by an earlier delivery, or deleted with its bot.
  if (delivery?.status !== 'pending' || !bot) return;
  // Preserves the order, because earlier events are pending.
  if (pause && (await joinPaused(destination, pause, position))) return;
  const { freed } = await deliverOne(bot, delivery, { history: newHistory(delivery), pause: undefined });
  if (freed > 0) await startResumes(destination, freed);
}

async function findBot(botId: string): Promise<FoundBot | undefined> {
  const found = await findBotWithDefinition(botId);
  return found?.bot.deletedAtMs === undefined ? found : undefined;
}

/** Makes an attempt, and records its outcome. Repeats it if the handoff that withholds a message ended meanwhile. */
const deliverOne = (bot: FoundBot, delivery: Delivery, retry: Retry) =>
  retryConflicts(async () => {
    const { recipient, ...prepared } = await prepare(bot, delivery, retry.history.attempts + 1);
    const attempted = 'call' in prepared ? await attempt(recipient, delivery, prepared.call) : prepared;
    return record(recipient, delivery, attempted, retry);
  });

/** Upper bound of the work after a call. With less time left, another job continues. */
const RESERVE_MS = 10_000;

/** Exceeds a job's duration. After it, the work of a crashed process is resumed again. */
const RUN_LEASE_MS = 2 * 60_000;

/** Delivers the pending events of a paused conversation in order, until one fails or none is left. */
async function resume(job: ResumeJob, timeLeftMs: () => number): Promise<void> {
  const { botId, webhookId, conversationId } = job;
  const destination = destinationOf(botId, webhookId);
  await prolongResume(destination, conversationId, clock.now() + RUN_LEASE_MS);
  const end = await deliverPending(job, timeLeftMs);
  if (end.kind === 'continues') return;
  await endResume(destination, conversationId);
  await startResumes(destination, Math.max(1, end.freed));
}

type End = { kind: 'continues' } | { kind: 'ended'; freed: number };

async function deliverPending(job: ResumeJob, timeLeftMs: () => number): Promise<End> {
  const { botId, webhookId, conversationId } = job;
  const destination = destinationOf(botId, webhookId);
  let pause = await findPaused(destination, conversationId);
  let firstPosition = pause && pause.firstPosition < job.firstPosition ? pause.firstPosition : job.firstPosition;
  let from = firstPosition;
  let freed = 0;
  for (;;) {
    const { records, next } = await listPending(destination, conversationId, from);
    for (const delivery of records) {
      const bot = await findBot(botId);
      if (!bot) return { kind: 'ended', freed: 0 };
      const history = pause?.eventId === delivery.id ? pause : newHistory(delivery);
      if (timeLeftMs() < environment.deliveryTimeoutMs + RESERVE_MS) {
        await continueLater(job, delivery, { history, pause });
        return { kind: 'continues' };
      }
      const recorded = await deliverOne(bot, delivery, { history, pause });
      freed = Math.max(freed, recorded.freed);
      if (recorded.isPaused) return { kind: 'ended', freed };
    }
    if (next !== undefined) {
      from = next;
    } else if (!pause) {
      return { kind: 'ended', freed };
    } else if (await endPause(destination, pause)) {
      pause = undefined;
      from = firstPosition;
    } else {
      pause = await findPaused(destination, conversationId);
      if (pause && pause.firstPosition < firstPosition) firstPosition = pause.firstPosition;
      from = firstPosition;
    }
  }
}

async function continueLater(job: ResumeJob, delivery: Delivery, { history, pause }: Retry): Promise<void> {
  const { botId, webhookId, conversationId } = job;
  const destination = destinationOf(botId, webhookId);
  const { position: firstPosition } = orderOf(delivery.id);
  const rest = { ...history, conversationId, firstPosition, nextMs: history.sinceMs };
  await pauseConversation(destination, rest, pause);
  await prolongResume(destination, conversationId, clock.now() + START_LEASE_MS);
  await enqueueResume({ botId, webhookId, conversationId, firstPosition });
}
