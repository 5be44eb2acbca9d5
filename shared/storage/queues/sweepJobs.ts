import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';
import { enqueue } from './queue.ts';

export const SweepJob = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('conversation'),
    botId: z.string(),
    conversationId: z.string(),
    generation: z.number(),
    deletedAtMs: z.number(),
    isSecondPass: z.boolean(),
  }),
  z.object({
    kind: z.literal('user'),
    botId: z.string(),
    userId: z.string(),
    generation: z.string(),
    endingAtMs: z.number(),
    isSecondPass: z.boolean(),
  }),
  z.object({
    kind: z.literal('indexing'),
    botId: z.string(),
    fileId: z.string(),
    indexingId: z.string(),
    /** Embedding model of its vectors, if it is known. */
    space: z.optional(z.string()),
    isSecondPass: z.boolean(),
  }),
  z.object({
    kind: z.literal('uploadCopies'),
    botId: z.string(),
    fileId: z.string(),
    upload: z.string(),
    isSecondPass: z.boolean(),
  }),
  z.object({ kind: z.literal('table'), botId: z.string(), tableId: z.string(), isSecondPass: z.boolean() }),
  z.object({
    kind: z.literal('erasure'),
    botId: z.string(),
    userId: z.string(),
    foreignId: z.optional(z.string()),
    /** Later data belongs to another generation of the id. */
    untilMs: z.number(),
    place: z.optional(z.record(z.string(), z.any())),
    isSecondPass: z.boolean(),
  }),
  // Handoffs whose member, user or installation has ended (`reconcile.ts`).
  z.object({
    kind: z.literal('handoff'),
    botId: z.string(),
    handoffId: z.string(),
    isSecondPass: z.boolean(),
  }),
  z.object({ kind: z.literal('handoffs'), botId: z.string(), isSecondPass: z.boolean() }),
  z.object({
    kind: z.literal('member'),
    workspaceId: z.string(),
    accountId: z.string(),
    /** Continues after this bot. */
    after: z.optional(z.object({ sortKey: z.string(), id: z.string() })),
    isSecondPass: z.boolean(),
  }),
  z.object({ kind: z.literal('bot'), botId: z.string(), isSecondPass: z.boolean() }),
  z.object({ kind: z.literal('integration'), integrationId: z.string(), isSecondPass: z.boolean() }),
  z.object({ kind: z.literal('package'), packageId: z.string(), isSecondPass: z.boolean() }),
  z.object({ kind: z.literal('workspace'), workspaceId: z.string(), isSecondPass: z.boolean() }),
]);
export type SweepJob = z.infer<typeof SweepJob>;

export const enqueueSweep = (job: SweepJob, delaySeconds = 0): Promise<void> =>
  enqueue(environment.sweepQueueUrl, job, { tenant: tenantOf(job), delaySeconds });

function tenantOf(job: SweepJob): string {
  if (job.kind === 'workspace' || job.kind === 'member') return job.workspaceId;
  if (job.kind === 'integration') return job.integrationId;
  return job.kind === 'package' ? job.packageId : job.botId;
}
