/** Lambda's event source for SQS: invokes consumers, retries failed jobs, and keeps each message group in order. */
import { lambdaContext } from '#infra/local/services/lambdaContext.ts';
import type { QueueConsumer } from '#shared/consumers/consumer.ts';
import { errorFields, log } from '#shared/log.ts';
import { QUEUES } from '#shared/queues/settings.ts';
import type { Journal, Message } from './journal.ts';

const RETRY_MS = 1_000;
/** Jobs share one process and its connections. */
const CONCURRENCY = 50;

export interface Dispatcher {
  /** Starts the jobs that are ready, and schedules itself for the next one. */
  dispatch(): void;
  /** Settles when no job is running or ready; delayed jobs do not count. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

export function createDispatcher(consumers: readonly QueueConsumer[], waiting: Journal): Dispatcher {
  const running = new Map<string, Promise<void>>();
  const busyGroups = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const run = async (message: Message): Promise<void> => {
    const { queue } = message;
    message.receives++;
    message.visibleMs = Date.now() + RETRY_MS;
    try {
      await invoke(consumers, message);
      waiting.remove(message.id);
    } catch (error) {
      // After its last attempt a job is parked, which succeeds, unless the table is out of reach: then it stays, for as long.
      if (message.receives >= QUEUES[queue].maxReceives) {
        log.error('A job could not be parked.', { queue, receives: message.receives, error: errorFields(error) });
      }
      waiting.recordChange(message);
    }
  };

  const dispatch = (): void => {
    clearTimeout(timer);
    if (isStopped) return;
    const nowMs = Date.now();
    let nextMs = Number.POSITIVE_INFINITY;
    /** Groups with an earlier job that is running or not ready. */
    const blockedGroups = new Set<string>(busyGroups);
    for (const message of waiting.messages.values()) {
      // A finished job dispatches again.
      if (running.size >= CONCURRENCY) break;
      if (running.has(message.id)) continue;
      const group = message.group === undefined ? undefined : `${message.queue} ${message.group}`;
      if (group !== undefined && blockedGroups.has(group)) continue;
      if (group !== undefined) blockedGroups.add(group);
      if (message.visibleMs > nowMs) {
        nextMs = Math.min(nextMs, message.visibleMs);
        continue;
      }
      if (group !== undefined) busyGroups.add(group);
      const done = run(message).finally(() => {
        running.delete(message.id);
        if (group !== undefined) busyGroups.delete(group);
        setImmediate(dispatch);
      });
      running.set(message.id, done);
    }
    if (nextMs < Number.POSITIVE_INFINITY) timer = setTimeout(dispatch, Math.max(1, nextMs - nowMs));
  };

  return {
    dispatch,
    idle: async () => {
      while (running.size > 0) {
        await Promise.all(running.values());
        dispatch();
      }
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
}

async function invoke(consumers: readonly QueueConsumer[], { id, queue, body, group, receives }: Message) {
  const consumer = consumers.find(({ trigger }) => trigger.queue === queue);
  if (!consumer) throw new Error(`The queue ${queue} has no consumer.`);
  const record = {
    messageId: id,
    receiptHandle: id,
    body,
    eventSource: 'aws:sqs',
    attributes: { ApproximateReceiveCount: String(receives), MessageGroupId: group },
    messageAttributes: {},
  };
  const timeoutMs = QUEUES[queue].timeoutSeconds * 1000;
  await consumer.handle({ Records: [record as never] }, lambdaContext(consumer.name, timeoutMs));
}
