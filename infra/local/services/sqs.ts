/** Local SQS. Receives messages from the real client and invokes consumers. A file can persist pending messages. */

import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Service } from '#infra/local/runtime/service.ts';
import { clock } from '#shared/core/clock.ts';
import type { QueueConsumer } from '#shared/events/consumers/consumer.ts';
import type { QueueName } from '#shared/storage/queues/settings.ts';
import { QUEUES } from '#shared/storage/queues/settings.ts';
import { createDispatcher } from './sqs/dispatcher.ts';
import { type Message, openJournal } from './sqs/journal.ts';

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

  const server = createServer(async (request, response) => {
    const { status, body } = await answer(request, send, setVisible);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    endpoint,
    resume: dispatcher.dispatch,
    hasten: dispatcher.hasten,
    urlOf: queue => `${endpoint}/000000000000/${queue}${QUEUES[queue].isInOrder ? '.fifo' : ''}`,
    idle: dispatcher.idle,
    activity: dispatcher.activity,
    stop: async () => {
      await dispatcher.stop();
      server.closeAllConnections();
      server.close();
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

async function answer(request: IncomingMessage, send: Send, setVisible: (id: string, visibleMs: number) => void) {
  const input = JSON.parse(await text(request));
  const target = String(request.headers['x-amz-target']);
  switch (target) {
    case 'AmazonSQS.SendMessage':
      return { status: 200, body: sendOne(input.QueueUrl, input, send) };
    case 'AmazonSQS.SendMessageBatch': {
      const Successful = input.Entries.map((entry: SentMessage & { Id: string }) => ({
        Id: entry.Id,
        ...sendOne(input.QueueUrl, entry, send),
      }));
      return { status: 200, body: { Successful, Failed: [] } };
    }
    case 'AmazonSQS.ChangeMessageVisibility':
      setVisible(input.ReceiptHandle, clock.now() + input.VisibilityTimeout * 1000);
      return { status: 200, body: {} };
    default:
      return { status: 400, body: { __type: 'UnsupportedOperation', message: target } };
  }
}

interface SentMessage {
  MessageBody: string;
  DelaySeconds?: number;
  MessageGroupId?: string;
  MessageDeduplicationId?: string;
}

function sendOne(
  queueUrl: string,
  { MessageBody, DelaySeconds = 0, MessageGroupId: group, MessageDeduplicationId }: SentMessage,
  send: Send,
) {
  const queue = queueUrl.split('/').at(-1)!.replace('.fifo', '') as QueueName;
  send(queue, MessageBody, {
    delayMs: DelaySeconds * 1000,
    ...(group === undefined ? {} : { group }),
    ...(MessageDeduplicationId === undefined ? {} : { deduplicationId: MessageDeduplicationId }),
  });
  return { MessageId: randomUUID(), MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex') };
}
