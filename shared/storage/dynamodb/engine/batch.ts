import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { clock } from '#shared/core/clock.ts';
import { chunksOf, mapConcurrently } from '#shared/core/concurrency.ts';
import { environment } from '#shared/core/environment.ts';
import { documents } from './client.ts';

type BatchRequests = NonNullable<BatchWriteCommandInput['RequestItems']>[string];

const BATCH = 25;
const CONCURRENT_BATCHES = 8;
const MAX_PAUSE_MS = 5_000;

/** Puts and deletes items. Not atomic. A call must not repeat a key, and batches may be sent twice. */
export async function sendBatches(requests: BatchRequests): Promise<void> {
  await mapConcurrently(chunksOf(requests, BATCH), CONCURRENT_BATCHES, async batch => {
    let left: BatchRequests = batch;
    for (let attempt = 0; left.length > 0; attempt++) {
      if (attempt > 0) await clock.sleep(Math.random() * Math.min(50 * 2 ** attempt, MAX_PAUSE_MS));
      const { UnprocessedItems } = await documents.send(
        new BatchWriteCommand({ RequestItems: { [environment.tableName]: left } }),
      );
      left = UnprocessedItems?.[environment.tableName] ?? [];
    }
  });
}
