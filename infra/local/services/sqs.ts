/**
 * SQS on one machine: takes what the functions send through the real client, hands it to the functions that a queue starts,
 * in order where the queue is, repeats what failed, and parks what failed too often. What waits is kept in a file, if there
 * is one to keep it in, so that it is done although this process was killed.
 */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { QUEUES } from '#infra/stack/queueSettings.ts';
import type { QueueConsumer } from '#shared/consumers/consumer.ts';
import type { QueueName } from '#shared/queues/settings.ts';
import { errorFields, log } from '#shared/log.ts';
import type { Service } from './dynamodb.ts';
import { lambdaContext } from './lambdaContext.ts';

const RETRY_MS = 1_000;
/** So many jobs at once: they share one process and its connections. */
const AT_ONCE = 50;
/** SQS takes a job once that is sent twice within this time. */
const ONCE_MS = 5 * 60_000;

interface Message {
  id: string;
  queue: QueueName;
  body: string;
  /** Of a queue in order. */
  group?: string;
  visibleMs: number;
  receives: number;
}

export interface Queues extends Service {
  urlOf(queue: QueueName): string;
  /** Goes on with what waited when the process before ended. */
  goOn(): void;
  /** Settles when nothing is being worked on and nothing is waiting for its turn; what is delayed does not count. */
  idle(): Promise<void>;
  /** What failed too often. */
  parked: { queue: string; body: string; reason: unknown }[];
}

/** @param file keeps what waits, from one process to the next */
export async function startQueues(consumers: readonly QueueConsumer[], file?: string): Promise<Queues> {
  const parked: Queues['parked'] = [];
  const waiting = openJournal(file);
  const working = new Map<string, Promise<void>>();
  /** Groups in which a job is being done. */
  const busy = new Set<string>();
  const seen = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const work = async (message: Message): Promise<void> => {
    const { queue, body, group } = message;
    message.receives++;
    message.visibleMs = Date.now() + RETRY_MS;
    const consumer = consumers.find(({ trigger }) => trigger.queue === queue);
    const { maxReceives, timeoutSeconds } = QUEUES[queue];
    try {
      if (!consumer) throw new Error(`Nothing is started by the queue ${queue}.`);
      const record = {
        messageId: message.id,
        receiptHandle: message.id,
        body,
        eventSource: 'aws:sqs',
        attributes: { ApproximateReceiveCount: String(message.receives), MessageGroupId: group },
        messageAttributes: {},
      };
      await consumer.handle({ Records: [record as never] }, lambdaContext(consumer.name, timeoutSeconds * 1000));
      waiting.remove(message.id);
    } catch (reason) {
      log.warn('A job failed.', { queue, receives: message.receives, error: errorFields(reason) });
      if (message.receives < maxReceives) return waiting.change(message);
      parked.push({ queue, body, reason });
      waiting.remove(message.id);
    }
  };

  /** Starts whatever may be done now, and looks again when the next may. */
  const turn = (): void => {
    clearTimeout(timer);
    if (isStopped) return;
    const nowMs = Date.now();
    let nextMs = Number.POSITIVE_INFINITY;
    /** Groups whose first job is not to be done yet: those after it wait. */
    const held = new Set<string>(busy);
    for (const message of waiting.messages.values()) {
      // The next turn comes when one of them is done.
      if (working.size >= AT_ONCE) break;
      if (working.has(message.id)) continue;
      const group = message.group === undefined ? undefined : `${message.queue} ${message.group}`;
      if (group !== undefined && held.has(group)) continue;
      if (group !== undefined) held.add(group);
      if (message.visibleMs > nowMs) {
        nextMs = Math.min(nextMs, message.visibleMs);
        continue;
      }
      if (group !== undefined) busy.add(group);
      const done = work(message).finally(() => {
        working.delete(message.id);
        if (group !== undefined) busy.delete(group);
        setImmediate(turn);
      });
      working.set(message.id, done);
    }
    if (nextMs < Number.POSITIVE_INFINITY) timer = setTimeout(turn, Math.max(1, nextMs - nowMs));
  };

  const send = (queue: QueueName, body: string, options: { delayMs: number; group?: string; once?: string }) => {
    const { delayMs, group, once: key } = options;
    if (key !== undefined) {
      const nowMs = Date.now();
      for (const [each, untilMs] of seen) {
        if (untilMs > nowMs) break;
        seen.delete(each);
      }
      const name = `${queue} ${group} ${key}`;
      if (seen.has(name)) return;
      seen.set(name, nowMs + ONCE_MS);
    }
    waiting.add({
      id: randomUUID(),
      queue,
      body,
      ...(group === undefined ? {} : { group }),
      visibleMs: Date.now() + delayMs,
      receives: 0,
    });
    turn();
  };

  const server = createServer(async (request, response) => {
    const answer = await handle(request, send, (id, visibleMs) => {
      const message = waiting.messages.get(id);
      if (message) message.visibleMs = visibleMs;
    });
    response
      .writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify(answer.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    endpoint,
    parked,
    goOn: turn,
    urlOf: queue => `${endpoint}/000000000000/${queue}${QUEUES[queue].isInOrder ? '.fifo' : ''}`,
    idle: async () => {
      while (working.size > 0) {
        await Promise.all(working.values());
        turn();
      }
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await Promise.all(working.values());
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What waits, in the order it came; written down, line by line, where there is a file. */
function openJournal(file: string | undefined) {
  const messages = new Map<string, Message>();
  const note = (line: object) => file && appendFileSync(file, `${JSON.stringify(line)}\n`);
  if (file && existsSync(file)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      // The last may have been cut short, before what it says had happened.
      if (!line.endsWith('}')) continue;
      const { removed, ...message } = JSON.parse(line);
      if (removed) messages.delete(removed);
      else messages.set(message.id, message);
    }
    writeFileSync(file, [...messages.values()].map(message => `${JSON.stringify(message)}\n`).join(''));
  }
  return {
    messages,
    add: (message: Message) => {
      messages.set(message.id, message);
      note(message);
    },
    change: (message: Message) => void note(message),
    remove: (id: string) => {
      messages.delete(id);
      note({ removed: id });
    },
  };
}

/** The calls of the protocol that the functions make. */
async function handle(
  request: IncomingMessage,
  send: (queue: QueueName, body: string, options: { delayMs: number; group?: string; once?: string }) => void,
  setVisible: (id: string, visibleMs: number) => void,
) {
  const input = JSON.parse(await text(request));
  switch (request.headers['x-amz-target']) {
    case 'AmazonSQS.SendMessage': {
      const { QueueUrl, MessageBody, DelaySeconds = 0, MessageGroupId: group, MessageDeduplicationId } = input;
      const queue = QueueUrl.split('/').at(-1).replace('.fifo', '');
      send(queue, MessageBody, {
        delayMs: DelaySeconds * 1000,
        ...(group === undefined ? {} : { group, once: MessageDeduplicationId }),
      });
      const MD5OfMessageBody = createHash('md5').update(MessageBody).digest('hex');
      return { status: 200, body: { MessageId: randomUUID(), MD5OfMessageBody } };
    }
    case 'AmazonSQS.ChangeMessageVisibility':
      setVisible(input.ReceiptHandle, Date.now() + input.VisibilityTimeout * 1000);
      return { status: 200, body: {} };
    default:
      return {
        status: 400,
        body: { __type: 'UnsupportedOperation', message: String(request.headers['x-amz-target']) },
      };
  }
}
