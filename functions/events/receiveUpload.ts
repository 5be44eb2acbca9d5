import type { SQSRecord } from 'aws-lambda';
import { queueConsumer } from '#shared/consumers/consumer.ts';
import { receiveObject } from '#shared/files/receiveObject.ts';
import { log } from '#shared/log.ts';

export const receiveUpload = queueConsumer({
  name: 'receiveUpload',
  summary: 'Completes a file whose upload has arrived in the object store, and deletes unexpected uploads.',
  trigger: { queue: 'uploads' },
  table: 'writes',
  objects: 'receivesUploads',

  handle: async ({ Records }) => {
    for (const key of Records.flatMap(uploadsIn)) {
      const outcome = await receiveObject(key, Date.now());
      log.info('Processed an upload.', { operation: 'receiveUpload', key, outcome });
    }
  },
});

/** The keys of the objects named by an S3 event notification. S3 sends a test notification without records first. */
function uploadsIn({ body }: SQSRecord): string[] {
  const { Records = [] } = JSON.parse(body) as {
    Records?: { s3: { object: { key: string } } }[];
  };
  // Form encoding: a space is a plus.
  return Records.map(({ s3: { object } }) => decodeURIComponent(object.key.replaceAll('+', ' ')));
}
