/** Putting jobs on the queues. */
import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

const sqs = new SQSClient({});

/** SQS holds nothing back for longer. */
export const LONGEST_DELAY_SECONDS = 900;

/** @param delaySeconds at most {@link LONGEST_DELAY_SECONDS} */
export async function enqueue(queueUrl: string, job: unknown, delaySeconds = 0): Promise<void> {
  await sqs.send(
    new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(job), DelaySeconds: delaySeconds }),
  );
}

/** @param group of which all jobs are done in order; @param once what is sent twice within five minutes is done once */
export async function enqueueInOrder(
  queueUrl: string,
  job: unknown,
  { group, once }: { group: string; once: string },
): Promise<void> {
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: JSON.stringify(job),
      MessageGroupId: group,
      MessageDeduplicationId: once,
    }),
  );
}

/** Has a job that is being done come again after a pause; until then nothing of its group comes. */
export async function retryAfter(queueUrl: string, receiptHandle: string, pauseMs: number): Promise<void> {
  await sqs.send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: queueUrl,
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: Math.ceil(pauseMs / 1000),
    }),
  );
}
