import * as z from 'zod/mini';
import { queueConsumer } from '#shared/consumers/consumer.ts';
import { indexFile as index } from '#shared/files/indexFile.ts';
import { log } from '#shared/log.ts';

const Job = z.object({ botId: z.string(), fileId: z.string(), indexingId: z.string() });

/** Kept free for recording the outcome. */
const RESERVE_MS = 20_000;

export const indexFile = queueConsumer({
  name: 'indexFile',
  summary: 'Extracts the text of a file, cuts it into passages and adds these to the search index.',
  trigger: { queue: 'indexing' },
  memoryMb: 3008,
  table: 'writes',
  objects: 'checksFiles',
  index: 'writes',

  handle: async ({ Records }, context) => {
    for (const { body, attributes } of Records) {
      const job = Job.parse(JSON.parse(body));
      const attempt = Number(attributes.ApproximateReceiveCount);
      const timeMs = context.getRemainingTimeInMillis() - RESERVE_MS;
      const outcome = await index(job, { attempt, timeMs });
      log.info('Processed an indexing job.', { operation: 'indexFile', ...job, outcome });
    }
  },
});
