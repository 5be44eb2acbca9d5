/** Local S3 notifications: long-polls the embedded store or lists another one, and enqueues new objects. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { environment } from '#shared/core/environment.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { enqueue } from '#shared/storage/queues/queue.ts';
import { UPLOADS_PREFIX } from '#shared/storage/s3/prefixes.ts';
import { ARRIVALS_PATH, type Arrival, arrivalsAuthorization } from './s3.ts';

const RETRY_MS = 1_000;
const LIST_MS = 2_000;
/** Tolerance for clock skew and for listings in whole seconds. */
const LIST_BACK_MS = 10_000;

const CHECK_MS = 5;

export interface UploadWatch {
  /** Resolves when notifications of all earlier uploads are queued. Embedded object store only. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

export async function watchUploads(endpoint: string, bucket: string): Promise<UploadWatch> {
  const stopped = new AbortController();
  const { signal } = stopped;
  const isEmbedded = !process.env.S3_ENDPOINT;
  const progress = { after: isEmbedded ? await countArrivals(endpoint) : 0 };
  const watching = isEmbedded
    ? pollArrivals(endpoint, bucket, progress, signal)
    : listArrivals(endpoint, bucket, signal);
  return {
    idle: async () => {
      const target = isEmbedded ? await countArrivals(endpoint) : 0;
      while (progress.after < target && !signal.aborted) await sleep(CHECK_MS);
    },
    stop: async () => {
      stopped.abort();
      await watching;
    },
  };
}

interface Arrivals {
  arrivals: Arrival[];
  last: number;
}

const fetchArrivals = async (endpoint: string, after: number, signal?: AbortSignal): Promise<Arrivals> =>
  (
    await fetch(`${endpoint}${ARRIVALS_PATH}?after=${after}`, {
      headers: { authorization: arrivalsAuthorization() },
      ...(signal ? { signal } : {}),
    })
  ).json() as Promise<Arrivals>;

const countArrivals = async (endpoint: string) => (await fetchArrivals(endpoint, -1)).last;

/** Uses the key as the tenant, because S3's notifications name none. */
const notify = ({ bucket, key, size }: Arrival) =>
  enqueue(
    environment.uploadQueueUrl,
    {
      Records: [
        {
          eventName: 'ObjectCreated:Put',
          s3: { bucket: { name: bucket }, object: { key: encodeURIComponent(key), size } },
        },
      ],
    },
    { tenant: key },
  );

async function pollArrivals(
  endpoint: string,
  bucket: string,
  progress: { after: number },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const { arrivals, last } = await fetchArrivals(endpoint, progress.after, signal);
      for (const each of arrivals)
        if (each.bucket === bucket && each.key.startsWith(UPLOADS_PREFIX)) await notify(each);
      progress.after = last;
    } catch (error) {
      if (signal.aborted) return;
      log.error('The upload notifications could not be polled.', { error: errorFields(error) });
      await sleep(RETRY_MS);
    }
  }
}

async function listArrivals(endpoint: string, bucket: string, signal: AbortSignal): Promise<void> {
  const client = new S3Client({ endpoint, forcePathStyle: true });
  const notifiedMs = new Map<string, number>();
  const startMs = Date.now() - LIST_BACK_MS;
  while (!signal.aborted) {
    try {
      let ContinuationToken: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: UPLOADS_PREFIX, ContinuationToken }),
        );
        for (const { Key: key = '', Size: size = 0, LastModified } of page.Contents ?? []) {
          const atMs = LastModified?.getTime() ?? 0;
          if (atMs < startMs || notifiedMs.get(key) === atMs) continue;
          notifiedMs.set(key, atMs);
          await notify({ bucket, key, size });
        }
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken);
    } catch (error) {
      log.error('The uploads could not be listed.', { error: errorFields(error) });
    }
    await sleep(LIST_MS, undefined, { signal }).catch(() => undefined);
  }
  client.destroy();
}
