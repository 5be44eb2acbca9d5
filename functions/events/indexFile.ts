import { measured } from '#shared/core/metrics.ts';
import { indexFile as index } from '#shared/domain/files/indexFile.ts';
import { queueConsumer } from '#shared/events/consumers/consumer.ts';
import { enqueueIndexing, IndexingJob } from '#shared/storage/queues/indexingJobs.ts';

const COUNTED_AS = { completed: 'filesIndexed', failed: 'filesFailed' } as const;

/** Time reserved for recording the outcome. */
const RESERVE_MS = 20_000;

export const indexFile = queueConsumer({
  name: 'indexFile',
  summary: 'Extracts the text of a file, splits it into passages and adds them to the search index.',
  queue: 'indexing',
  memoryMb: 3008,
  table: 'writes',
  partitions: { reads: ['bots'], writes: ['files', 'tags', 'botTotals', 'gauges', 'postings'], appends: ['usage'] },
  objects: { reads: ['files'] },
  index: 'writes',
  sends: ['indexing'],
  job: IndexingJob,

  run: async ({ progress, unread, ...job }, { attempt, timeLeftMs }) => {
    const outcome = await index(job, { attempt, timeMs: timeLeftMs() - RESERVE_MS, progress, unread });
    if (typeof outcome === 'object') {
      await enqueueIndexing({ ...job, ...outcome });
      return { ...job, outcome: 'unfinished', ...outcome.progress };
    }
    return { ...job, outcome, ...(outcome === 'superseded' ? {} : measured({ [COUNTED_AS[outcome]]: 1 })) };
  },
});
