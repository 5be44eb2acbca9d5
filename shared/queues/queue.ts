/** Sends jobs to SQS. */
import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

import { hashText } from '#shared/ids.ts';

const sqs = new SQSClient({});

/** The longest delay that SQS allows. */
export const LONGEST_DELAY_SECONDS = 900;

/**
 * Sends a job.
 * @param tenant whose it is: a backlog of one tenant's jobs holds up no other's (SQS: fair queues)
 * @param delaySeconds at most {@link LONGEST_DELAY_SECONDS}
 */
export async function enqueue(
  queueUrl: string,
  job: unknown,
  { tenant, delaySeconds = 0 }: { tenant: string; delaySeconds?: number },
): Promise<void> {
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: JSON.stringify(job),
      DelaySeconds: delaySeconds,
      MessageGroupId: legal(tenant),
    }),
  );
}

/**
 * Sends a job to a FIFO queue.
 * @param group the jobs of a group are processed in order
 * @param once deduplicates: of two jobs with the same value within five minutes, one is processed
 */
export async function enqueueInOrder(
  queueUrl: string,
  job: unknown,
  { group, once }: { group: string; once: string },
): Promise<void> {
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: JSON.stringify(job),
      MessageGroupId: legal(group),
      MessageDeduplicationId: legal(once),
    }),
  );
}

/** Aliases and tags may have any letters, and SQS takes 128 of ASCII's. */
const legal = (id: string) => (/^[!-~]{1,128}$/.test(id) ? id : hashText(id));

/** Postpones the next attempt of a job in progress. In a FIFO queue its group waits with it. */
export async function retryAfter(queueUrl: string, receiptHandle: string, pauseMs: number): Promise<void> {
  await sqs.send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: queueUrl,
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: Math.ceil(pauseMs / 1000),
    }),
  );
}
