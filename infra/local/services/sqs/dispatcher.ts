/** Lambda's event source for SQS: invokes consumers, retries failed jobs, and keeps each message group in order. */

import { lambdaContext } from '#infra/local/services/lambdaContext.ts';
import { clock, type Timer } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import type { QueueConsumer } from '#shared/events/consumers/consumer.ts';
import { QUEUES } from '#shared/storage/queues/settings.ts';
import type { Journal, Message } from './journal.ts';

const RETRY_MS = 1_000;
/** Jobs share one process and its connections … */
const CONCURRENCY = 60;
/**
 * … of which a tenant with a backlog leaves the others a part: jobs keep the machine busy, unless they wait for an
 * endpoint.
 */
const PER_TENANT = { busy: 3, waiting: 20 };

export interface Dispatcher {
  /** Takes a message that waits since now. */
  add(message: Message): void;
  /** Starts the jobs that are ready, and schedules itself for the next one. */
  dispatch(): void;
  /** Ends the delays: what waits for its time is ready. */
  hasten(): void;
  /** Settles when no job is running or ready; delayed jobs do not count. */
  idle(): Promise<void>;
  /** Number of jobs enqueued plus attempts finished. */
  activity(): number;
  stop(): Promise<void>;
}

/** Messages that are processed one after another: those of a group of a FIFO queue, or a single one. */
interface Lane {
  order: string | undefined;
  tenant: string;
  messages: Message[];
}

/**
 * The work for a message does not grow with the number of those that wait: a tenant's backlog costs the others nothing.
 */
export function createDispatcher(consumers: readonly QueueConsumer[], waiting: Journal): Dispatcher {
  const waitsForEndpoints = new Set(
    consumers.filter(({ callsEndpoints }) => callsEndpoints).map(({ trigger }) => trigger.queue),
  );
  const running = new Map<string, Promise<void>>();
  /** Lanes of FIFO queues. */
  const lanes = new Map<string, Lane>();
  /** Lanes whose first message may start, by tenant and in the order in which they became so. */
  const ready = new Map<string, Lane[]>();
  /** Lanes whose first message becomes visible later, the next one last. */
  const delayed: { lane: Lane; visibleMs: number }[] = [];
  /** Running jobs of each tenant. */
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
      // After its last attempt a job is parked, which succeeds, unless the table is out of reach: then it stays, for as
      // long.
      if (message.receives >= QUEUES[queue].maxReceives) {
        log.error('A job could not be parked.', { queue, receives: message.receives, error: errorFields(error) });
      }
      waiting.recordChange(message);
    }
  };

  /** Puts a lane where its first message belongs. */
  const place = (lane: Lane): void => {
    const [message] = lane.messages;
    if (!message) {
      if (lane.order !== undefined) lanes.delete(lane.order);
    } else if (message.visibleMs > clock.now()) {
      delayed.splice(placeOf(message.visibleMs), 0, { lane, visibleMs: message.visibleMs });
    } else {
      const own = ready.get(lane.tenant);
      if (own) own.push(lane);
      else ready.set(lane.tenant, [lane]);
    }
  };

  /** Where a time stands among those of {@link delayed}. */
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
    const known = order === undefined ? undefined : lanes.get(order);
    if (known) {
      known.messages.push(message);
      return;
    }
    const lane = { order, tenant: tenantOf(message), messages: [message] };
    if (order !== undefined) lanes.set(order, lane);
    place(lane);
  };

  const start = (lane: Lane): void => {
    const message = lane.messages[0]!;
    const { tenant } = lane;
    tenants.set(tenant, (tenants.get(tenant) ?? 0) + 1);
    const done = run(message).finally(() => {
      running.delete(message.id);
      activity++;
      if (!waiting.messages.has(message.id)) lane.messages.shift();
      place(lane);
      const left = tenants.get(tenant)! - 1;
      if (left > 0) tenants.set(tenant, left);
      else tenants.delete(tenant);
      setImmediate(dispatch);
    });
    running.set(message.id, done);
  };

  /** Tenants take turns: whoever has the fewest jobs running starts the next. */
  const nextTenant = (): string | undefined => {
    let next: string | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [tenant, [lane]] of ready) {
      const jobs = tenants.get(tenant) ?? 0;
      const most = waitsForEndpoints.has(lane!.messages[0]!.queue) ? PER_TENANT.waiting : PER_TENANT.busy;
      if (jobs < fewest && jobs < most) [next, fewest] = [tenant, jobs];
      if (fewest === 0) break;
    }
    return next;
  };

  const dispatch = (): void => {
    timer?.stop();
    if (isStopped) return;
    const nowMs = clock.now();
    while (delayed.length > 0 && delayed.at(-1)!.visibleMs <= nowMs) place(delayed.pop()!.lane);
    while (running.size < CONCURRENCY) {
      const tenant = nextTenant();
      if (tenant === undefined) break;
      const own = ready.get(tenant)!;
      start(own.shift()!);
      if (own.length === 0) ready.delete(tenant);
    }
    // A finished job dispatches again.
    const next = delayed.at(-1);
    if (next && running.size < CONCURRENCY) timer = clock.after(Math.max(1, next.visibleMs - nowMs), dispatch);
  };

  for (const message of waiting.messages.values()) add(message);

  return {
    add,
    dispatch,
    hasten: () => {
      for (const { lane } of delayed.splice(0)) {
        lane.messages[0]!.visibleMs = 0;
        place(lane);
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
