import type { SQSRecord } from 'aws-lambda';
import { queueConsumer } from '#shared/consumers/consumer.ts';
import { receiveObject } from '#shared/files/receiveObject.ts';
import { log } from '#shared/log.ts';

export const receiveUpload = queueConsumer({
  name: 'receiveUpload',
  summary: 'Moves a file on when its upload has arrived in the object store, and removes what nobody waits for.',
  trigger: { queue: 'uploads' },
  table: 'writes',
  objects: 'receivesFiles',

  handle: async ({ Records }) => {
    for (const { key, size } of Records.flatMap(objectsIn)) {
      const outcome = await receiveObject(key, size, Date.now());
      log.info('An upload arrived.', { operation: 'receiveUpload', key, outcome });
    }
  },
});

/** What the object store tells: S3's own format. Before the first it sends a test that tells of nothing. */
function objectsIn({ body }: SQSRecord): { key: string; size: number }[] {
  const { Records = [] } = JSON.parse(body) as {
    Records?: { s3: { object: { key: string; size?: number } } }[];
  };
  return Records.map(({ s3: { object } }) => ({
    // As in a query: a space is a plus.
    key: decodeURIComponent(object.key.replaceAll('+', ' ')),
    size: object.size ?? 0,
  }));
}
