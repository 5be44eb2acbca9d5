import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';
import { enqueue } from './queue.ts';

export const AssignmentJob = z.discriminatedUnion('kind', [
  /** Assigns waiting conversations to available agents, if assignment is automatic. */
  z.object({
    kind: z.literal('assign'),
    workspaceId: z.string(),
    /** A new entry of the queue, which its index may not list yet. */
    handoff: z.optional(z.object({ botId: z.string(), handoffId: z.string() })),
    /** Earlier jobs that ended with conflicts. */
    retries: z.optional(z.number()),
  }),
  /** Returns the conversations of an agent who is still disconnected to the queue. */
  z.object({
    kind: z.literal('release'),
    workspaceId: z.string(),
    accountId: z.string(),
    disconnectedAtMs: z.number(),
  }),
  /** Applies changed settings: plans releases, and with `isRecount` counts the open conversations of agents again. */
  z.object({ kind: z.literal('settings'), workspaceId: z.string(), isRecount: z.boolean() }),
  /** Forgets the conversations of a bot that was deleted or transferred. */
  z.object({ kind: z.literal('forgetBot'), workspaceId: z.string(), botId: z.string() }),
  /** Forgets an agent who is no longer a member. */
  z.object({ kind: z.literal('forgetAgent'), workspaceId: z.string(), accountId: z.string() }),
]);
export type AssignmentJob = z.infer<typeof AssignmentJob>;

export const enqueueAssignment = (job: AssignmentJob, delaySeconds = 0): Promise<void> =>
  enqueue(environment.assignmentQueueUrl, job, { tenant: job.workspaceId, delaySeconds });
