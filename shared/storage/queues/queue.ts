import {
  ChangeMessageVisibilityCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SendMessageCommandInput,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { hashText } from '#shared/core/ids.ts';
import { sdkLogger } from '#shared/core/sdkLogger.ts';

const sqs = new SQSClient({ logger: sdkLogger });

/** @param tenant isolates backlogs of tenants (SQS fair queues) @param delaySeconds at most 900 */
export async function enqueue(
  queueUrl: string,
  job: unknown,
  { tenant, delaySeconds = 0 }: { tenant: string; delaySeconds?: number },
): Promise<void> {
  await send(queueUrl, {
    MessageBody: JSON.stringify(job),
    DelaySeconds: delaySeconds,
    MessageGroupId: legal(tenant),
  });
}

/** Enqueues in a FIFO queue, in order per group. `once` deduplicates jobs within five minutes. */
export async function enqueueInOrder(
  queueUrl: string,
  job: unknown,
  { group, once }: { group: string; once: string },
): Promise<void> {
  await send(queueUrl, {
    MessageBody: JSON.stringify(job),
    MessageGroupId: legal(group),
    MessageDeduplicationId: legal(once),
  });
}

/** SQS's limits per call. Characters leave a margin, because SQS counts more than the text. */
const BATCH_SIZE = 10;
const BATCH_CHARACTERS = 50_000;

type Message = Omit<SendMessageCommandInput, 'QueueUrl'> & { MessageBody: string };
interface Sending {
  message: Message;
  resolve(): void;
  reject(error: unknown): void;
}
const sendings = new Map<string, Sending[]>();

/** Batches the jobs of the same tick, which saves 90 % of the calls in a burst. Order requires awaiting each job. */
function send(queueUrl: string, message: Message): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending: Sending = { message, resolve, reject };
    const others = sendings.get(queueUrl);
    if (others) return void others.push(sending);
    sendings.set(queueUrl, [sending]);
    setImmediate(() => {
      const all = sendings.get(queueUrl)!;
      sendings.delete(queueUrl);
      for (const batch of batchesOf(all)) void sendBatch(queueUrl, batch);
    });
  });
}

function batchesOf(all: readonly Sending[]): Sending[][] {
  const batches: Sending[][] = [];
  let characters = 0;
  for (const sending of all) {
    const { length } = sending.message.MessageBody;
    const last = batches.at(-1);
    characters += length;
    if (last && last.length < BATCH_SIZE && characters <= BATCH_CHARACTERS) last.push(sending);
    else {
      batches.push([sending]);
      characters = length;
    }
  }
  return batches;
}

async function sendBatch(QueueUrl: string, batch: readonly Sending[]): Promise<void> {
  try {
    if (batch.length === 1) {
      await sqs.send(new SendMessageCommand({ QueueUrl, ...batch[0]!.message }));
      batch[0]!.resolve();
      return;
    }
    const Entries = batch.map(({ message }, i) => ({ Id: String(i), ...message }));
    const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    for (const { Id, Code, Message } of Failed) batch[Number(Id)]!.reject(new Error(`SQS: ${Code}: ${Message}`));
    // Rejected promises ignore this.
    for (const { resolve } of batch) resolve();
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

/** SQS accepts up to 128 ASCII characters. Aliases and tags may contain other characters. */
const legal = (id: string) => (/^[!-~]{1,128}$/.test(id) ? id : hashText(id));

/** Postpones the next attempt of a job. In a FIFO queue, its group waits as well. */
export async function retryAfter(queueUrl: string, receiptHandle: string, pauseMs: number): Promise<void> {
  await sqs.send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: queueUrl,
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: Math.ceil(pauseMs / 1000),
    }),
  );
}
