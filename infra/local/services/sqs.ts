/** Local SQS. Receives messages from the real client and invokes consumers. A file can persist pending messages. */

import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Service } from '#infra/local/runtime/service.ts';
import { clock } from '#shared/core/clock.ts';
import type { QueueConsumer } from '#shared/events/consumers/consumer.ts';
import type { QueueName } from '#shared/storage/queues/queueSettings.ts';
import { QUEUE_NAMES, QUEUES } from '#shared/storage/queues/queueSettings.ts';
import { parseInput, Rejection, type Reply, type StandInRequest, startStandIn } from './access/startStandIn.ts';
import { createDispatcher } from './sqs/dispatcher.ts';
import { type Message, openJournal } from './sqs/queueJournal.ts';

const DEDUPLICATION_MS = 5 * 60_000;

export interface Queues extends Service {
  urlOf(queue: QueueName): string;
  resume(): void;
  hasten(): void;
  idle(): Promise<void>;
  activity(): number;
}

interface SendOptions {
  delayMs: number;
  group?: string;
  deduplicationId?: string;
}
type Send = (queue: QueueName, body: string, options: SendOptions) => void;

export async function startQueues(consumers: readonly QueueConsumer[], file?: string): Promise<Queues> {
  const waiting = openJournal(file);
  const dispatcher = createDispatcher(consumers, waiting);
  const isDuplicate = deduplicator();

  const send: Send = (queue, body, { delayMs, group, deduplicationId }) => {
    if (deduplicationId !== undefined && isDuplicate(`${queue} ${group} ${deduplicationId}`)) return;
    const message: Message = {
      id: randomUUID(),
      queue,
      body,
      ...(group === undefined ? {} : { group }),
      visibleMs: clock.now() + delayMs,
      receives: 0,
    };
    waiting.add(message);
    dispatcher.add(message);
    dispatcher.dispatch();
  };
  const setVisible = (id: string, visibleMs: number) => {
    const message = waiting.messages.get(id);
    if (message) message.visibleMs = visibleMs;
  };

  const { endpoint, stop } = await startStandIn('sqs', request => answer(request, send, setVisible));

  return {
    endpoint,
    resume: dispatcher.dispatch,
    hasten: dispatcher.hasten,
    urlOf: queue => `${endpoint}/000000000000/${queue}${QUEUES[queue].isInOrder ? '.fifo' : ''}`,
    idle: dispatcher.idle,
    activity: dispatcher.activity,
    stop: async () => {
      await dispatcher.stop();
      await stop();
    },
  };
}

function deduplicator(): (key: string) => boolean {
  const seenUntilMs = new Map<string, number>();
  return key => {
    const nowMs = clock.now();
    for (const [each, untilMs] of seenUntilMs) {
      if (untilMs > nowMs) break;
      seenUntilMs.delete(each);
    }
    if (seenUntilMs.has(key)) return true;
    seenUntilMs.set(key, nowMs + DEDUPLICATION_MS);
    return false;
  };
}

const Sent = z.object({
  MessageBody: z.string(),
  DelaySeconds: z.optional(z.int().check(z.minimum(0), z.maximum(900))),
  MessageGroupId: z.optional(z.string()),
  MessageDeduplicationId: z.optional(z.string()),
});
const SendMessage = z.extend(Sent, { QueueUrl: z.string() });
const SendMessageBatch = z.object({
  QueueUrl: z.string(),
  Entries: z.array(z.extend(Sent, { Id: z.string() })).check(z.minLength(1), z.maxLength(10)),
});
const ChangeMessageVisibility = z.object({
  ReceiptHandle: z.string(),
  VisibilityTimeout: z.int().check(z.minimum(0), z.maximum(43_200)),
});

async function answer(
  { target, input }: StandInRequest,
  send: Send,
  setVisible: (id: string, visibleMs: number) => void,
): Promise<Reply> {
  switch (target) {
    case 'AmazonSQS.SendMessage': {
      const message = parseInput(SendMessage, input);
      return { status: 200, body: sendOne(message.QueueUrl, message, send) };
    }
    case 'AmazonSQS.SendMessageBatch': {
      const { QueueUrl, Entries } = parseInput(SendMessageBatch, input);
      const Successful = Entries.map(entry => ({ Id: entry.Id, ...sendOne(QueueUrl, entry, send) }));
      return { status: 200, body: { Successful, Failed: [] } };
    }
    case 'AmazonSQS.ChangeMessageVisibility': {
      const { ReceiptHandle, VisibilityTimeout } = parseInput(ChangeMessageVisibility, input);
      setVisible(ReceiptHandle, clock.now() + VisibilityTimeout * 1000);
      return { status: 200, body: {} };
    }
    default:
      throw new Rejection(400, 'UnsupportedOperation', `The operation ${target} is not supported.`);
  }
}

function sendOne(
  queueUrl: string,
  { MessageBody, DelaySeconds = 0, MessageGroupId: group, MessageDeduplicationId }: z.infer<typeof Sent>,
  send: Send,
) {
  send(queueIn(queueUrl), MessageBody, {
    delayMs: DelaySeconds * 1000,
    ...(group === undefined ? {} : { group }),
    ...(MessageDeduplicationId === undefined ? {} : { deduplicationId: MessageDeduplicationId }),
  });
  return { MessageId: randomUUID(), MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex') };
}

function queueIn(url: string): QueueName {
  const name = url
    .split('/')
    .at(-1)!
    .replace(/\.fifo$/, '');
  const queue = QUEUE_NAMES.find(each => each === name);
  if (!queue) throw new Rejection(400, 'QueueDoesNotExist', `The queue ${name} does not exist.`);
  return queue;
}
