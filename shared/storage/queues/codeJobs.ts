import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';
import { enqueue } from './queue.ts';

const owner = { kind: z.enum(['bot', 'integration']), id: z.string() };

export const CodeJob = z.discriminatedUnion('task', [
  z.object({ task: z.literal('rollOut'), ...owner, revision: z.string() }),
  z.object({ task: z.literal('retire'), ...owner, revision: z.string(), keyHash: z.optional(z.string()) }),
]);
export type CodeJob = z.infer<typeof CodeJob>;

export const enqueueCode = (job: CodeJob, delaySeconds = 0): Promise<void> =>
  enqueue(environment.codeQueueUrl, job, { tenant: job.id, delaySeconds });
