import * as z from 'zod/mini';
import { clock } from '#shared/core/clock.ts';
import { receiveObject } from '#shared/domain/files/receiveObject.ts';
import { queueConsumer } from '#shared/events/consumers/consumer.ts';

/** S3 sends a test notification without records first. */
const Notification = z.object({
  Records: z._default(z.array(z.object({ s3: z.object({ object: z.object({ key: z.string() }) }) })), []),
});

export const receiveUpload = queueConsumer({
  name: 'receiveUpload',
  summary: 'Completes a file whose upload has arrived in the object store, and deletes unexpected uploads.',
  queue: 'uploads',
  table: 'writes',
  partitions: { reads: ['bots'], writes: ['files', 'tags', 'botTotals', 'gauges'], appends: ['usage'] },
  objects: { reads: ['uploads'], writes: ['files'], deletes: ['uploads'] },
  job: Notification,

  run: async ({ Records }) => {
    const outcomes: Record<string, string> = {};
    for (const { s3 } of Records) {
      // S3 form-encodes keys in its events.
      const key = decodeURIComponent(s3.object.key.replaceAll('+', ' '));
      outcomes[key] = await receiveObject(key, clock.now());
    }
    return { outcomes };
  },
});
