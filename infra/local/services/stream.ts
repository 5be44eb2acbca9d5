/** The table's stream on one machine: follows it and starts the functions as the event source of Lambda does. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
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
import type { StreamConsumer, StreamFilter } from '#shared/consumers/consumer.ts';
import { errorFields, log } from '#shared/log.ts';
import { lambdaContext } from './lambdaContext.ts';

const POLL_MS = 100;
const RETRY_MS = 500;
const RETRIES = 5;
const FUNCTION_TIMEOUT_MS = 60_000;

export interface StreamPump {
  /** Settles when everything written before the call has been reacted to. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts at what is written from now on, or where the process before ended. DynamoDB Local keeps a stream in shards like the real one; each is read from
 * its start when it appears later, and to its end.
 * @param file keeps how far it was read
 */
export async function followStream(
  endpoint: string,
  streamArn: string,
  consumers: readonly StreamConsumer[],
  file?: string,
): Promise<StreamPump> {
  const readTo = checkpoints(file);
  const client = new DynamoDBStreamsClient({ endpoint });
  const iterators = new Map<string, string | undefined>();
  let isStopped = false;
  let rounds = 0;

  const open = async (from: 'LATEST' | 'TRIM_HORIZON') => {
    const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn: streamArn }));
    for (const { ShardId } of StreamDescription?.Shards ?? []) {
      if (iterators.has(ShardId!)) continue;
      const last = readTo.get(ShardId!);
      const { ShardIterator } = await client.send(
        new GetShardIteratorCommand({
          StreamArn: streamArn,
          ShardId,
          ...(last === undefined
            ? { ShardIteratorType: readTo.isNew ? from : 'TRIM_HORIZON' }
            : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: last }),
        }),
      );
      iterators.set(ShardId!, ShardIterator);
    }
  };

  /** Where a shard cannot be read on, it is read from its start, as Lambda does: what comes twice does no harm. */
  const reopen = async (ShardId: string, error: unknown) => {
    if (!(error instanceof TrimmedDataAccessException || error instanceof ExpiredIteratorException)) throw error;
    const { ShardIterator } = await client.send(
      new GetShardIteratorCommand({ StreamArn: streamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
    );
    return { Records: [], NextShardIterator: ShardIterator };
  };

  const round = async (): Promise<number> => {
    let records = 0;
    for (const [shard, iterator] of iterators) {
      if (!iterator) continue;
      const { Records = [], NextShardIterator } = await client
        .send(new GetRecordsCommand({ ShardIterator: iterator, Limit: 100 }))
        .catch(error => reopen(shard, error));
      await react(consumers, Records);
      iterators.set(shard, NextShardIterator);
      const last = Records.at(-1)?.dynamodb?.SequenceNumber;
      if (last !== undefined) readTo.set(shard, last);
      records += Records.length;
    }
    if ([...iterators.values()].every(iterator => !iterator)) await open('TRIM_HORIZON');
    rounds++;
    return records;
  };

  await open('LATEST');
  const pump = (async () => {
    while (!isStopped) {
      try {
        if ((await round()) === 0) await sleep(POLL_MS);
      } catch (error) {
        if (isStopped) return;
        log.error('The stream could not be read.', { error: errorFields(error) });
        await sleep(RETRY_MS);
      }
    }
  })();

  return {
    // The round under way may have passed a shard already: the one after it sees everything.
    idle: async () => {
      const target = rounds + 2;
      while (rounds < target && !isStopped) await sleep(POLL_MS / 4);
    },
    stop: async () => {
      isStopped = true;
      await pump;
      client.destroy();
    },
  };
}

/** How far each shard was read and reacted to. */
function checkpoints(file: string | undefined) {
  const known: Record<string, string> = file && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return {
    isNew: Object.keys(known).length === 0,
    get: (shard: string): string | undefined => known[shard],
    set: (shard: string, sequenceNumber: string) => {
      known[shard] = sequenceNumber;
      if (file) writeFileSync(file, JSON.stringify(known));
    },
  };
}

async function react(consumers: readonly StreamConsumer[], records: StreamRecord[]): Promise<void> {
  const events = records.map(asLambdaRecord);
  await Promise.all(
    consumers.map(async consumer => {
      const Records = events.filter(event => consumer.trigger.stream.some(filter => matches(filter, event)));
      if (Records.length > 0) await attempt(consumer, Records);
    }),
  );
}

async function attempt(consumer: StreamConsumer, Records: DynamoDBRecord[]): Promise<void> {
  for (let retry = 0; ; retry++) {
    try {
      return await consumer.handle({ Records }, lambdaContext(consumer.name, FUNCTION_TIMEOUT_MS));
    } catch (error) {
      log.error('A reaction failed.', { operation: consumer.name, retry, error: errorFields(error) });
      if (retry === RETRIES) return;
      await sleep(RETRY_MS);
    }
  }
}

/** Lambda hands bytes over in base 64, times in seconds, and empty maps, which the SDK loses; everything else is alike. */
function asLambdaRecord(record: StreamRecord): DynamoDBRecord {
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

/** The part of Lambda's filter language that the reactions use: exact values, `prefix` and `exists`. */
export function matches(filter: StreamFilter, event: unknown): boolean {
  return Object.entries(filter).every(([key, expected]) => {
    const actual = (event as Record<string, unknown> | undefined)?.[key];
    if (!Array.isArray(expected)) return matches(expected as StreamFilter, actual);
    return expected.some(rule => {
      if (typeof rule !== 'object') return rule === actual;
      if ('prefix' in rule) return typeof actual === 'string' && actual.startsWith(rule.prefix);
      return rule.exists === (actual !== undefined);
    });
  });
}
