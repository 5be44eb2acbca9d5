/**
 * SQS on one machine: takes what the functions send through the real client, hands it to the functions that a queue
 * starts, repeats what failed, and parks what failed too often. In memory: what waits is lost with the process.
 */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { errorFields, log } from '../../shared/http/log.ts';
import type { QueueReaction } from '../../shared/reaction.ts';
import { lambdaContext } from './context.ts';
import type { Service } from './dynamodb.ts';

const RECEIVES = 5;
const RETRY_MS = 1_000;
const FUNCTION_TIMEOUT_MS = 60_000;

export interface Queues extends Service {
  urlOf(queue: string): string;
  /** Settles when nothing is being worked on; what is delayed does not count. */
  idle(): Promise<void>;
  /** What failed too often. */
  parked: { queue: string; body: string; reason: unknown }[];
}

export async function startQueues(consumers: readonly QueueReaction[]): Promise<Queues> {
  const parked: Queues['parked'] = [];
  const running = new Set<Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();

  const later = (ms: number, run: () => Promise<void>) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      const work = run();
      running.add(work);
      work.finally(() => running.delete(work));
    }, ms);
    timers.add(timer);
  };

  const deliver = async (queue: string, body: string, receives: number): Promise<void> => {
    const consumer = consumers.find(({ trigger }) => trigger.queue === queue);
    try {
      if (!consumer) throw new Error(`Nothing is started by the queue ${queue}.`);
      const record = { messageId: randomUUID(), body, eventSource: 'aws:sqs', attributes: {}, messageAttributes: {} };
      await consumer.handle({ Records: [record as never] }, lambdaContext(consumer.name, FUNCTION_TIMEOUT_MS));
    } catch (reason) {
      log.error('A job failed.', { queue, receives, error: errorFields(reason) });
      if (receives === RECEIVES) parked.push({ queue, body, reason });
      else later(RETRY_MS, () => deliver(queue, body, receives + 1));
    }
  };

  const server = createServer(async (request, response) => {
    const answer = await sendMessage(request, (queue, body, delayMs) => later(delayMs, () => deliver(queue, body, 1)));
    response
      .writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify(answer.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    endpoint,
    parked,
    urlOf: queue => `${endpoint}/000000000000/${queue}`,
    idle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
    stop: async () => {
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(running);
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The one call of the protocol that the functions make. */
async function sendMessage(request: IncomingMessage, send: (queue: string, body: string, delayMs: number) => void) {
  if (request.headers['x-amz-target'] !== 'AmazonSQS.SendMessage') {
    return { status: 400, body: { __type: 'UnsupportedOperation', message: String(request.headers['x-amz-target']) } };
  }
  const { QueueUrl, MessageBody, DelaySeconds = 0 } = JSON.parse(await text(request));
  send(QueueUrl.split('/').at(-1), MessageBody, DelaySeconds * 1000);
  return {
    status: 200,
    body: { MessageId: randomUUID(), MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex') },
  };
}
