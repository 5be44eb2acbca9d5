/** Lambda's event source for SQS: invokes consumers, retries failed jobs, and keeps each message group in order. */
import { lambdaContext } from '#infra/local/services/lambdaContext.ts';
import type { QueueConsumer } from '#shared/consumers/consumer.ts';
import { errorFields, log } from '#shared/log.ts';
import { QUEUES } from '#shared/queues/settings.ts';
import type { Journal, Message } from './journal.ts';

const RETRY_MS = 1_000;
/** Jobs share one process and its connections … */
const CONCURRENCY = 60;
/** … of which a tenant with a backlog, or with a slow endpoint, leaves the others a part. */
const PER_TENANT = 20;

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
  /** Running jobs of each tenant. */
  const tenants = new Map<string, number>();
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

  const start = (message: Message): void => {
    const group = orderOf(message);
    if (group !== undefined) busyGroups.add(group);
    const tenant = tenantOf(message);
    tenants.set(tenant, (tenants.get(tenant) ?? 0) + 1);
    const done = run(message).finally(() => {
      running.delete(message.id);
      if (group !== undefined) busyGroups.delete(group);
      const left = tenants.get(tenant)! - 1;
      if (left > 0) tenants.set(tenant, left);
      else tenants.delete(tenant);
      setImmediate(dispatch);
    });
    running.set(message.id, done);
  };

  /** Finds the messages that are ready to start, by tenant and in order, and the time at which the next one will be. */
  const readyMessages = (): { ready: Map<string, Message[]>; nextMs: number } => {
    const nowMs = Date.now();
    let nextMs = Number.POSITIVE_INFINITY;
    /** Groups with an earlier job that is running or not ready. */
    const blockedGroups = new Set<string>(busyGroups);
    const ready = new Map<string, Message[]>();
    for (const message of waiting.messages.values()) {
      if (running.has(message.id)) continue;
      const group = orderOf(message);
      if (group !== undefined && blockedGroups.has(group)) continue;
      if (group !== undefined) blockedGroups.add(group);
      if (message.visibleMs > nowMs) {
        nextMs = Math.min(nextMs, message.visibleMs);
        continue;
      }
      const tenant = tenantOf(message);
      const own = ready.get(tenant);
      if (own) own.push(message);
      else ready.set(tenant, [message]);
    }
    return { ready, nextMs };
  };

  /** Tenants take turns: whoever has the fewest jobs running starts the next. */
  const dispatch = (): void => {
    clearTimeout(timer);
    // A finished job dispatches again.
    if (isStopped || running.size >= CONCURRENCY) return;
    const { ready, nextMs } = readyMessages();
    while (running.size < CONCURRENCY) {
      let next: string | undefined;
      for (const tenant of ready.keys()) {
        const jobs = tenants.get(tenant) ?? 0;
        if (jobs < PER_TENANT && (next === undefined || jobs < (tenants.get(next) ?? 0))) next = tenant;
      }
      if (next === undefined) break;
      const own = ready.get(next)!;
      start(own.shift()!);
      if (own.length === 0) ready.delete(next);
    }
    if (nextMs < Number.POSITIVE_INFINITY) timer = setTimeout(dispatch, Math.max(1, nextMs - Date.now()));
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

/** FIFO queues keep the messages of a group in order; undefined for messages of standard queues. */
const orderOf = ({ queue, group }: Message) => (QUEUES[queue].isInOrder ? `${queue} ${group}` : undefined);

/** Groups that are in order start with their tenant; a message without a group is a tenant of its own. */
const tenantOf = ({ id, queue, group }: Message) => `${queue} ${group?.split('#', 1)[0] ?? id}`;

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
