/**
 * Drains a held conversation: delivers its pending events in order, until one fails or none is left. It shares a FIFO
 * group with first attempts, so none runs concurrently. It may crash anywhere and run again:
 *
 * - Before the release, the conversation is still held. A later drain resumes with what is pending.
 * - An event that arrives during the release is found by the last read, or its own job runs after the release.
 * - After the release, the repeated job reads again from `firstPosition`.
 */
import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { endDrain, prolongDrain } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import { findHeld, holdConversation, releaseHeld } from '#shared/storage/dynamodb/delivery/heldConversations.ts';
import { laneOf } from '#shared/storage/dynamodb/partitioning/lanes.ts';
import { type DrainJob, enqueueDrain } from '#shared/storage/queues/deliveries.ts';
import { attempt, type Head, newHead } from './attempt.ts';
import { findRecipient } from './prepare.ts';
import { listPending, orderOf } from './records.ts';
import { scheduleRetry } from './retry.ts';
import { START_LEASE_MS, startDrains } from './startResumes.ts';

/** Upper bound of the work after a call. With less time left, the drain continues in another job. */
const RESERVE_MS = 10_000;

/** Exceeds a job's duration. After it, the drain of a crashed process is restarted. */
const RUN_LEASE_MS = 2 * 60_000;

export async function drain(job: DrainJob, timeLeftMs: () => number): Promise<void> {
  const { botId, webhookId, conversationId } = job;
  const lane = laneOf(botId, webhookId);
  await prolongDrain(lane, conversationId, clock.now() + RUN_LEASE_MS);
  const end = await deliverPending(job, timeLeftMs);
  if (end.kind === 'continues') return;
  await endDrain(lane, conversationId);
  await startDrains(lane, Math.max(1, end.freed));
}

type End = { kind: 'continues' } | { kind: 'ended'; freed: number };

async function deliverPending(job: DrainJob, timeLeftMs: () => number): Promise<End> {
  const { botId, webhookId, conversationId } = job;
  const lane = laneOf(botId, webhookId);
  let held = await findHeld(lane, conversationId);
  let firstPosition = held && held.firstPosition < job.firstPosition ? held.firstPosition : job.firstPosition;
  let from = firstPosition;
  let freed = 0;
  for (;;) {
    const { records, next } = await listPending(lane, conversationId, from);
    for (const delivery of records) {
      const { position } = orderOf(delivery.id);
      const recipient = await findRecipient(lane);
      if (!recipient) return { kind: 'ended', freed: 0 };
      const head: Head = held?.eventId === delivery.id ? held : newHead(delivery);
      if (timeLeftMs() < environment.deliveryTimeoutMs + RESERVE_MS) {
        const rest = { ...head, conversationId, firstPosition: position, nextMs: head.sinceMs };
        await holdConversation(lane, rest, held);
        await prolongDrain(lane, conversationId, clock.now() + START_LEASE_MS);
        await enqueueDrain({ botId, webhookId, conversationId, firstPosition: position });
        return { kind: 'continues' };
      }
      const tried = await attempt(recipient, delivery, head);
      freed = Math.max(freed, tried.freed);
      if (tried.kind === 'settled') continue;
      const isHeld = await scheduleRetry(recipient, delivery, { attempt: tried, head, seen: held });
      if (isHeld) return { kind: 'ended', freed };
    }
    if (next !== undefined) {
      from = next;
    } else if (!held) {
      return { kind: 'ended', freed };
    } else if (await releaseHeld(lane, held)) {
      held = undefined;
      from = firstPosition;
    } else {
      held = await findHeld(lane, conversationId);
      if (held && held.firstPosition < firstPosition) firstPosition = held.firstPosition;
      from = firstPosition;
    }
  }
}
