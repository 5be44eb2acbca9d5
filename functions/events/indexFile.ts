import * as z from 'zod/mini';
import { queueConsumer } from '#shared/consumers/consumer.ts';
import { indexFile as index } from '#shared/files/indexFile.ts';
import { log } from '#shared/log.ts';

const Job = z.object({ botId: z.string(), fileId: z.string(), indexingId: z.string() });

/** Left for writing down what came of it. */
const RESERVE_MS = 20_000;

export const indexFile = queueConsumer({
  name: 'indexFile',
  summary: 'Reads a file that is to be indexed, cuts it into passages, and puts these into the index.',
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
      log.info('Looked at a file that was to be indexed.', { operation: 'indexFile', ...job, outcome });
    }
  },
});
