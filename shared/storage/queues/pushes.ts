import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';
import { randomText } from '#shared/core/ids.ts';
import { Presence } from '#shared/storage/dynamodb/chat/presence.ts';
import { MEMBERS } from '#shared/storage/dynamodb/connections/members.ts';

const conversation = { botId: z.string(), conversationId: z.string() };

/** Jobs of one subject are in one group, so that its connections receive everything in order. */
export const PushJob = z.discriminatedUnion('kind', [
  /** New timeline entries by position, and changes of presence. */
  z.object({
    kind: z.literal('signals'),
    ...conversation,
    positions: z.array(z.string()),
    presence: z.array(Presence),
  }),
  /** Entries from a position, which a client missed or which were written while it connected. */
  z.object({ kind: z.literal('resume'), ...conversation, connectionId: z.string(), from: z.string() }),
  /** A participation that may have ended, or the whole conversation. */
  z.object({ kind: z.literal('left'), ...conversation, userId: z.optional(z.string()) }),
  /** The notice that waits for the members who watch the bot. */
  z.object({ kind: z.literal('notice'), botId: z.string() }),
]);
export type PushJob = z.infer<typeof PushJob>;

/** @param once deduplicates the job within five minutes */
export async function enqueuePush(job: PushJob, once: string = randomText(16)): Promise<void> {
  // Imported lazily, because nobody listens to most conversations.
  const { enqueueInOrder } = await import('./queue.ts');
  await enqueueInOrder(environment.pushQueueUrl, job, { group: `${job.botId}#${subjectOf(job)}`, once });
}

/** What the connections of a job listen to. */
export const subjectOf = (job: PushJob): string => (job.kind === 'notice' ? MEMBERS : job.conversationId);
