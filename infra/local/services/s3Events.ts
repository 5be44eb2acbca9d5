/**
 * What S3 tells of uploads, on one machine: asks the embedded object store, which remembers what arrived, or looks into
 * another for what is new; and puts it on the queue in S3's format.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { environment } from '#shared/environment.ts';
import { errorFields, log } from '#shared/log.ts';
import { enqueue } from '#shared/queues/queue.ts';
import { FILES_PREFIX } from '#shared/s3/prefixes.ts';
import { ARRIVALS_PATH, type Arrival } from './s3.ts';

const RETRY_MS = 1_000;
const LOOK_MS = 2_000;
/** Two clocks, and a listing that shows times in seconds. */
const LOOK_BACK_MS = 10_000;

export function followUploads(endpoint: string, bucket: string): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const follow = process.env.S3_ENDPOINT ? lookForArrivals : hearOfArrivals;
  const following = follow(endpoint, bucket, stopped.signal);
  return {
    stop: async () => {
      stopped.abort();
      await following;
    },
  };
}

const tell = ({ bucket, key, size }: Arrival) =>
  enqueue(environment.uploadQueueUrl, {
    Records: [
      {
        eventName: 'ObjectCreated:Put',
        s3: { bucket: { name: bucket }, object: { key: encodeURIComponent(key), size } },
      },
    ],
  });

/** The embedded store answers when something has arrived, or after a while. */
async function hearOfArrivals(endpoint: string, bucket: string, signal: AbortSignal): Promise<void> {
  let after = 'now';
  while (!signal.aborted) {
    try {
      const response = await fetch(`${endpoint}${ARRIVALS_PATH}?after=${after}`, { signal });
      const { arrivals, last } = (await response.json()) as { arrivals: Arrival[]; last: number };
      for (const each of arrivals) if (each.bucket === bucket && each.key.startsWith(FILES_PREFIX)) await tell(each);
      after = String(last);
    } catch (error) {
      if (signal.aborted) return;
      log.error('Uploads could not be followed.', { error: errorFields(error) });
      await sleep(RETRY_MS);
    }
  }
}

async function lookForArrivals(endpoint: string, bucket: string, signal: AbortSignal): Promise<void> {
  const client = new S3Client({ endpoint, forcePathStyle: true });
  const told = new Map<string, number>();
  const startMs = Date.now() - LOOK_BACK_MS;
  while (!signal.aborted) {
    try {
      let ContinuationToken: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: FILES_PREFIX, ContinuationToken }),
        );
        for (const { Key: key = '', Size: size = 0, LastModified } of page.Contents ?? []) {
          const atMs = LastModified?.getTime() ?? 0;
          if (atMs < startMs || told.get(key) === atMs) continue;
          told.set(key, atMs);
          await tell({ bucket, key, size });
        }
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken);
    } catch (error) {
      log.error('Uploads could not be looked for.', { error: errorFields(error) });
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  client.destroy();
}
