/** Sweeps: removing what was deleted, or what it leaves behind, piece by piece, however much it is. */
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { environment } from './environment.ts';

export const SweepJob = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('conversation'),
    botId: z.string(),
    conversationId: z.string(),
    generation: z.number(),
    deletedAtMs: z.number(),
    isSecondPass: z.boolean(),
  }),
  z.object({ kind: z.literal('user'), botId: z.string(), userId: z.string(), isSecondPass: z.boolean() }),
  z.object({ kind: z.literal('bot'), botId: z.string(), isSecondPass: z.boolean() }),
  z.object({ kind: z.literal('integration'), integrationId: z.string(), isSecondPass: z.boolean() }),
  z.object({ kind: z.literal('workspace'), workspaceId: z.string(), isSecondPass: z.boolean() }),
]);
export type SweepJob = z.infer<typeof SweepJob>;

const sqs = new SQSClient({});

/** @param delaySeconds at most 900 */
export async function requestSweep(job: SweepJob, delaySeconds = 0): Promise<void> {
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: environment.sweepQueueUrl,
      MessageBody: JSON.stringify(job),
      DelaySeconds: delaySeconds,
    }),
  );
}
