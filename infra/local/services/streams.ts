/** Local event source for DynamoDB Streams. Polls the table's stream and invokes consumers as Lambda does. */

import { existsSync, readFileSync } from 'node:fs';
import {
  type AttributeValue,
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as StreamRecord,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { replaceFile } from '#infra/local/runtime/replaceFile.ts';
import { clock } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import type { StreamConsumer } from '#shared/events/consumers/consumer.ts';
import { startBatches } from './streamBatches.ts';

/** Poll interval without notifications. Finds writes of other processes, such as an operator's commands. */
const POLL_MS = 1_000;
/** Poll interval shortly after a write, whose record may be delayed. */
const SOON_MS = 100;
const MOMENT_MS = 500;
/** Minimum interval of polls after writes, so that one poll reads a burst of writes. */
const NOTICE_INTERVAL_MS = 15;
const IDLE_CHECK_MS = 2;
const RETRY_MS = 500;
const WAITING_LIMIT = 5_000;

export interface StreamPump {
  wake(): void;
  idle(): Promise<void>;
  activity(): number;
  stop(): Promise<void>;
}

/**
 * Starts with the next write, or where the previous process ended. Reads shards that appear later from their start.
 * @param file persists the position in each shard
 */
export async function pollStream(
  endpoint: string,
  streamArn: string,
  consumers: readonly StreamConsumer[],
  file?: string,
): Promise<StreamPump> {
  const positions = loadPositions(file);
  const client = new DynamoDBStreamsClient({ endpoint });
  const iterators = new Map<string, string | undefined>();
  const batches = consumers.map(startBatches);
  let reads: { read: number; shard: string; last: string }[] = [];
  let lastRead = 0;
  let isStopped = false;
  let rounds = 0;
  let activity = 0;

  const open = async (from: 'LATEST' | 'TRIM_HORIZON') => {
    const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn: streamArn }));
    for (const { ShardId } of StreamDescription?.Shards ?? []) {
      if (iterators.has(ShardId!)) continue;
      const last = positions.get(ShardId!);
      const { ShardIterator } = await client.send(
        new GetShardIteratorCommand({
          StreamArn: streamArn,
          ShardId,
          ...(last === undefined
            ? { ShardIteratorType: positions.isNew ? from : 'TRIM_HORIZON' }
            : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: last }),
        }),
      );
      iterators.set(ShardId!, ShardIterator);
    }
  };

  /** Reopens a shard at its start if its position is lost, as Lambda does. Consumers tolerate duplicates. */
  const reopen = async (ShardId: string, error: unknown) => {
    if (!(error instanceof TrimmedDataAccessException || error instanceof ExpiredIteratorException)) throw error;
    const { ShardIterator } = await client.send(
      new GetShardIteratorCommand({ StreamArn: streamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
    );
    return { Records: [], NextShardIterator: ShardIterator };
  };

  /** Saves the position that every consumer has reached. The next process resumes from it. */
  const savePositions = () => {
    const processed = Math.min(...batches.map(each => each.processedTo()));
    for (const { shard, last } of reads.filter(({ read }) => read <= processed)) positions.set(shard, last);
    reads = reads.filter(({ read }) => read > processed);
  };

  const round = async (): Promise<number> => {
    let records = 0;
    for (const [shard, iterator] of iterators) {
      if (!iterator) continue;
      const { Records = [], NextShardIterator } = await client
        .send(new GetRecordsCommand({ ShardIterator: iterator, Limit: 1000 }))
        .catch(error => reopen(shard, error));
      iterators.set(shard, NextShardIterator);
      records += Records.length;
      const last = Records.at(-1)?.dynamodb?.SequenceNumber;
      if (last === undefined) continue;
      const [read, events] = [++lastRead, Records.map(asLambdaRecord)];
      for (const each of batches) each.add(read, events);
      reads.push({ read, shard, last });
    }
    savePositions();
    if ([...iterators.values()].every(iterator => !iterator)) await open('TRIM_HORIZON');
    rounds++;
    activity += records;
    return records;
  };

  let hasNotice = false;
  let toldMs = 0;
  let polledMs = 0;
  /** Pending `idle` calls. While there are any, polls do not pause. */
  let idlers = 0;
  let resume = () => {};
  const pause = async () => {
    if (!hasNotice && !isStopped) {
      await new Promise<void>(resolve => {
        const timer = clock.after(clock.now() - toldMs < MOMENT_MS ? SOON_MS : POLL_MS, resolve);
        resume = () => {
          timer.stop();
          resolve();
        };
      });
    }
    // Bounded, because the clock may have been set back.
    const restMs = Math.min(polledMs + NOTICE_INTERVAL_MS - clock.now(), NOTICE_INTERVAL_MS);
    if (hasNotice && !isStopped && idlers === 0 && restMs > 0) await clock.sleep(restMs);
    polledMs = clock.now();
    hasNotice = false;
  };
  const wake = () => {
    hasNotice = true;
    toldMs = clock.now();
    resume();
  };

  await open('LATEST');
  const pump = (async () => {
    while (!isStopped) {
      try {
        const isFull = batches.some(each => each.waiting() > WAITING_LIMIT);
        if (isFull || (await round()) === 0) await pause();
      } catch (error) {
        if (isStopped) return;
        log.error('The stream could not be read.', { error: errorFields(error) });
        await clock.sleep(RETRY_MS);
      }
    }
  })();

  return {
    wake,
    activity: () => activity,
    // The current round may have passed a shard already. The next round reads every shard.
    idle: async () => {
      const target = rounds + 2;
      idlers++;
      while (rounds < target && !isStopped) {
        wake();
        await clock.sleep(IDLE_CHECK_MS);
      }
      idlers--;
      await Promise.all(batches.map(each => each.flush()));
      savePositions();
    },
    stop: async () => {
      isStopped = true;
      wake();
      await pump;
      await Promise.all(batches.map(each => each.stop()));
      savePositions();
      client.destroy();
    },
  };
}

export const readPositions = (file: string): Record<string, string> =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};

function loadPositions(file: string | undefined) {
  const known = file ? readPositions(file) : {};
  return {
    isNew: Object.keys(known).length === 0,
    get: (shard: string): string | undefined => known[shard],
    set: (shard: string, sequenceNumber: string) => {
      known[shard] = sequenceNumber;
      if (file) replaceFile(file, JSON.stringify(known));
    },
  };
}

/** Converts an SDK record to Lambda's format: base64 bytes, times in seconds, and empty maps, which the SDK drops. */
export function asLambdaRecord(record: StreamRecord): DynamoDBRecord {
  const { Keys, NewImage, OldImage, ApproximateCreationDateTime: at } = record.dynamodb!;
  const images = { Keys: asLambdaImage(Keys), NewImage: asLambdaImage(NewImage), OldImage: asLambdaImage(OldImage) };
  const ApproximateCreationDateTime = at && Math.floor(at.getTime() / 1000);
  return {
    ...record,
    eventSourceARN: 'local',
    dynamodb: { ...record.dynamodb, ApproximateCreationDateTime, ...images },
  } as DynamoDBRecord;
}

const asLambdaImage = (image: Record<string, AttributeValue> | undefined) =>
  image && Object.fromEntries(Object.entries(image).map(([name, value]) => [name, asLambdaValue(value)]));

function asLambdaValue(value: AttributeValue): unknown {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  if (value.B) return { B: base64(value.B) };
  if (value.BS) return { BS: value.BS.map(base64) };
  if (value.L) return { L: value.L.map(asLambdaValue) };
  return value.M || Object.keys(value).length === 0 ? { M: asLambdaImage(value.M ?? {}) } : value;
}
