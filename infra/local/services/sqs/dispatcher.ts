/** Lambda's event source for SQS: invokes consumers, retries failed jobs, and keeps each message group in order. */

import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { clock, type Timer } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import type { QueueConsumer } from '#shared/events/consumers/consumer.ts';
import { QUEUES } from '#shared/storage/queues/queueSettings.ts';
import type { Journal, Message } from './queueJournal.ts';

const RETRY_MS = 1_000;
/** Maximum concurrent jobs, which share one process and its connections. */
const CONCURRENCY = 60;
/** Maximum concurrent jobs of one tenant: jobs that use the CPU, and jobs that wait for endpoints. */
const PER_TENANT = { busy: 3, waiting: 20 };

export interface Dispatcher {
  add(message: Message): void;
  dispatch(): void;
  hasten(): void;
  /** Resolves when no job is running or ready. Ignores delayed jobs. */
  idle(): Promise<void>;
  activity(): number;
  stop(): Promise<void>;
}

interface MessageGroup {
  order: string | undefined;
  tenant: string;
  messages: Message[];
}

/** The cost per message does not depend on the backlog, so one tenant's backlog does not slow down other tenants. */
export function createDispatcher(consumers: readonly QueueConsumer[], waiting: Journal): Dispatcher {
  const waitsForEndpoints = new Set(
    consumers
      .filter(({ callsEndpoints, connections }) => callsEndpoints || connections)
      .map(({ trigger }) => trigger.queue),
  );
  const running = new Map<string, Promise<void>>();
  const groups = new Map<string, MessageGroup>();
  const ready = new Map<string, MessageGroup[]>();
  /** Groups whose first message is delayed, sorted so that the next due group is last. */
  const delayed: { group: MessageGroup; visibleMs: number }[] = [];
  const tenants = new Map<string, number>();
  let timer: Timer | undefined;
  let isStopped = false;
  let activity = 0;

  const run = async (message: Message): Promise<void> => {
    const { queue } = message;
    message.receives++;
    message.visibleMs = clock.now() + RETRY_MS;
    try {
      await invoke(consumers, message);
      waiting.remove(message.id);
    } catch (error) {
      // A consumer stores the dead letter of a job after its last attempt. If that fails because the table is
      // unavailable, the job stays queued.
      if (message.receives >= QUEUES[queue].maxReceives) {
        log.error('The dead letter of a job could not be stored.', {
          queue,
          receives: message.receives,
          error: errorFields(error),
        });
      }
      waiting.recordChange(message);
    }
  };

  const place = (group: MessageGroup): void => {
    const [message] = group.messages;
    if (!message) {
      if (group.order !== undefined) groups.delete(group.order);
    } else if (message.visibleMs > clock.now()) {
      delayed.splice(placeOf(message.visibleMs), 0, { group, visibleMs: message.visibleMs });
    } else {
      const own = ready.get(group.tenant);
      if (own) own.push(group);
      else ready.set(group.tenant, [group]);
    }
  };

  const placeOf = (visibleMs: number): number => {
    let [from, to] = [0, delayed.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (delayed[middle]!.visibleMs > visibleMs) from = middle + 1;
      else to = middle;
    }
    return from;
  };

  const add = (message: Message): void => {
    activity++;
    const order = orderOf(message);
    const known = order === undefined ? undefined : groups.get(order);
    if (known) {
      known.messages.push(message);
      return;
    }
    const group = { order, tenant: tenantOf(message), messages: [message] };
    if (order !== undefined) groups.set(order, group);
    place(group);
  };

  const start = (group: MessageGroup): void => {
    const message = group.messages[0]!;
    const { tenant } = group;
    tenants.set(tenant, (tenants.get(tenant) ?? 0) + 1);
    const done = run(message).finally(() => {
      running.delete(message.id);
      activity++;
      if (!waiting.messages.has(message.id)) group.messages.shift();
      place(group);
      const left = tenants.get(tenant)! - 1;
      if (left > 0) tenants.set(tenant, left);
      else tenants.delete(tenant);
      setImmediate(dispatch);
    });
    running.set(message.id, done);
  };

  const nextTenant = (): string | undefined => {
    let next: string | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [tenant, [group]] of ready) {
      const jobs = tenants.get(tenant) ?? 0;
      const most = waitsForEndpoints.has(group!.messages[0]!.queue) ? PER_TENANT.waiting : PER_TENANT.busy;
      if (jobs < fewest && jobs < most) [next, fewest] = [tenant, jobs];
      if (fewest === 0) break;
    }
    return next;
  };

  const dispatch = (): void => {
    timer?.stop();
    if (isStopped) return;
    const nowMs = clock.now();
    while (delayed.length > 0 && delayed.at(-1)!.visibleMs <= nowMs) place(delayed.pop()!.group);
    while (running.size < CONCURRENCY) {
      const tenant = nextTenant();
      if (tenant === undefined) break;
      const own = ready.get(tenant)!;
      start(own.shift()!);
      if (own.length === 0) ready.delete(tenant);
    }
    const next = delayed.at(-1);
    if (next && running.size < CONCURRENCY) timer = clock.after(Math.max(1, next.visibleMs - nowMs), dispatch);
  };

  for (const message of waiting.messages.values()) add(message);

  return {
    add,
    dispatch,
    hasten: () => {
      for (const { group } of delayed.splice(0)) {
        group.messages[0]!.visibleMs = 0;
        place(group);
      }
      dispatch();
    },
    activity: () => activity,
    idle: async () => {
      dispatch();
      while (running.size > 0) {
        await Promise.all(running.values());
        dispatch();
      }
    },
    stop: async () => {
      isStopped = true;
      timer?.stop();
      await Promise.all(running.values());
    },
  };
}

/** Returns the ordering key of a FIFO message, or undefined for a standard queue. */
const orderOf = ({ queue, group }: Message) => (QUEUES[queue].isInOrder ? `${queue} ${group}` : undefined);

/** Groups of FIFO queues start with their tenant. A message without a group is its own tenant. */
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
