/** Batches changes for a stream consumer by its batching window and parallelization factor, as Lambda does. */

import type { DynamoDBRecord } from 'aws-lambda';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { clock } from '#shared/core/clock.ts';
import { shardOf } from '#shared/core/ids.ts';
import { errorFields, log } from '#shared/core/log.ts';
import type { StreamConsumer } from '#shared/events/consumers/consumer.ts';
import { matches } from '#shared/events/consumers/filters.ts';
import { STREAM_BATCH } from '#shared/events/consumers/streamBatch.ts';

const RETRY_MS = 500;
const FUNCTION_TIMEOUT_MS = 60_000;
/** Scales batching windows. Local windows are shorter for a responsive UI. Measurements may set this to 1. */
export const gathering = { share: 0.2 };

export interface StreamBatches {
  add(read: number, records: readonly DynamoDBRecord[]): void;
  /** Returns the number of the last read whose records have been processed. */
  processedTo(): number;
  waiting(): number;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** Distributes changes over batchers by partition, which keeps the order within a partition. */
export function startBatches(consumer: StreamConsumer): StreamBatches {
  const batchers = Array.from({ length: consumer.trigger.concurrentBatches }, () => startBatcher(consumer));
  return {
    add: (read, records) => {
      const own = batchers.map((): DynamoDBRecord[] => []);
      for (const record of records) own[shardOf(record.dynamodb!.Keys!.pk!.S!, batchers.length)]!.push(record);
      for (const [i, batcher] of batchers.entries()) batcher.add(read, own[i]!);
    },
    processedTo: () => Math.min(...batchers.map(batcher => batcher.processedTo())),
    waiting: () => batchers.reduce((sum, batcher) => sum + batcher.waiting(), 0),
    flush: async () => {
      await Promise.all(batchers.map(batcher => batcher.flush()));
    },
    stop: async () => {
      await Promise.all(batchers.map(batcher => batcher.stop()));
    },
  };
}

function startBatcher(consumer: StreamConsumer): StreamBatches {
  const { name, trigger } = consumer;
  let queue: { read: number; record: DynamoDBRecord }[] = [];
  let lastRead = 0;
  let isRunning = false;
  let isStopped = false;
  let hurry = new AbortController();
  let running = Promise.resolve();

  /** Retries a batch until it succeeds, as Lambda does. Consumers fail only when they cannot store a dead letter. */
  const invoke = async (Records: DynamoDBRecord[]): Promise<void> => {
    for (let retry = 0; !isStopped; retry++) {
      try {
        return await consumer.handle({ Records }, lambdaContext(name, FUNCTION_TIMEOUT_MS));
      } catch (error) {
        log.error('A stream consumer failed.', { operation: name, retry, error: errorFields(error) });
        await clock.sleep(RETRY_MS);
      }
    }
  };
  const run = async () => {
    while (queue.length > 0 && !isStopped) {
      const windowMs = trigger.windowSeconds * 1000 * gathering.share;
      if (windowMs > 0) await clock.sleep(windowMs, hurry.signal).catch(() => {});
      const batch = queue.slice(0, STREAM_BATCH);
      await invoke(batch.map(({ record }) => record));
      if (!isStopped) queue = queue.slice(batch.length);
    }
    isRunning = false;
  };

  return {
    add: (read, records) => {
      lastRead = read;
      const own = records.filter(record => trigger.stream.some(filter => matches(filter, record)));
      queue.push(...own.map(record => ({ read, record })));
      if (isRunning || own.length === 0) return;
      isRunning = true;
      running = run();
    },
    processedTo: () => (queue.length > 0 ? queue[0]!.read - 1 : lastRead),
    waiting: () => queue.length,
    flush: async () => {
      const before = hurry;
      before.abort();
      await running;
      if (hurry === before) hurry = new AbortController();
    },
    stop: async () => {
      isStopped = true;
      hurry.abort();
      await running;
    },
  };
}
