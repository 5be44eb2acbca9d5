import type { SQSRecord } from 'aws-lambda';
import { queueConsumer } from '#shared/consumers/consumer.ts';
import { receiveObject } from '#shared/files/receiveObject.ts';
import { log } from '#shared/log.ts';

export const receiveUpload = queueConsumer({
  name: 'receiveUpload',
  summary: 'Completes a file whose upload has arrived in the object store, and deletes unexpected uploads.',
  trigger: { queue: 'uploads' },
  table: 'writes',
  objects: 'receivesFiles',

  handle: async ({ Records }) => {
    for (const { key, size } of Records.flatMap(uploadsIn)) {
      const outcome = await receiveObject(key, size, Date.now());
      log.info('Processed an upload.', { operation: 'receiveUpload', key, outcome });
    }
  },
});

/** The objects named by an S3 event notification. S3 sends a test notification without records first. */
function uploadsIn({ body }: SQSRecord): { key: string; size: number }[] {
  const { Records = [] } = JSON.parse(body) as {
    Records?: { s3: { object: { key: string; size?: number } } }[];
  };
  return Records.map(({ s3: { object } }) => ({
    // Form encoding: a space is a plus.
    key: decodeURIComponent(object.key.replaceAll('+', ' ')),
    size: object.size ?? 0,
  }));
}
