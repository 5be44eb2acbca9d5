import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';

/** Checks of connections, not in order. */
export const ConnectionJob = z.discriminatedUnion('kind', [
  /** Sends pings to the connections of a bot that need them, and plans the next round while there are any. */
  z.object({
    kind: z.literal('ping'),
    botId: z.string(),
    loopId: z.string(),
    round: z.number(),
    after: z.optional(z.string()),
  }),
  /** Sends pings within a round. */
  z.object({ kind: z.literal('plannedPing'), botId: z.string(), after: z.optional(z.string()) }),
  /** Closes a connection when its key or token ends. */
  z.object({ kind: z.literal('expire'), botId: z.string(), connectionId: z.string(), atMs: z.number() }),
  /** Closes connections that could no longer be opened, after a change of the bot. */
  z.object({ kind: z.literal('recheck'), botId: z.string(), after: z.optional(z.string()) }),
  /** Closes the connections of a member to the workspace `botId`, whose clients connect again. */
  z.object({ kind: z.literal('reconnect'), botId: z.string(), accountId: z.string() }),
  /** Adds a new bot to the connections to its workspace. */
  z.object({ kind: z.literal('join'), botId: z.string(), workspaceId: z.string() }),
]);
export type ConnectionJob = z.infer<typeof ConnectionJob>;

export async function enqueueConnectionJob(job: ConnectionJob, delaySeconds = 0): Promise<void> {
  const { enqueue } = await import('./queue.ts');
  await enqueue(environment.connectionQueueUrl, job, { tenant: job.botId, delaySeconds });
}
