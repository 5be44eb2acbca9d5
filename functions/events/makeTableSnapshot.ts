import { makeSnapshot } from '#shared/domain/tables/snapshot/makeSnapshot.ts';
import { queueConsumer } from '#shared/events/consumers/consumer.ts';
import { enqueueSnapshot, SnapshotJob } from '#shared/storage/queues/snapshotJobs.ts';

/** Time reserved for storing the snapshot. */
const RESERVE_MS = 120_000;
/** Delay of a run for rows that arrived during the former one. */
const NEXT_SECONDS = 5;

export const makeTableSnapshot = queueConsumer({
  name: 'makeTableSnapshot',
  summary: 'Builds the SQLite snapshot that serves queries of a large table.',
  queue: 'snapshots',
  memoryMb: 1769,
  table: 'writes',
  partitions: { writes: ['tables'] },
  objects: { reads: ['snapshots'], writes: ['snapshots'], deletes: ['snapshots'] },
  sends: ['snapshots'],
  job: SnapshotJob,

  run: async (job, { timeLeftMs }) => {
    const made = await makeSnapshot(job, { isTimeLeft: () => timeLeftMs() > RESERVE_MS });
    if (made.outcome === 'quietPeriod') await enqueueSnapshot(job, Math.ceil(made.waitMs / 1000));
    if (made.outcome === 'made' && made.next) await enqueueSnapshot(made.next, NEXT_SECONDS);
    return { ...job, outcome: made.outcome };
  },
});
