import { failExport, runExport, TooLarge } from '#shared/domain/transfer/archive.ts';
import { rebuild } from '#shared/domain/transfer/rebuild.ts';
import { reindex } from '#shared/domain/transfer/reindexWorkspace.ts';
import { queueConsumer } from '#shared/events/consumers/consumer.ts';
import { TransferJob } from '#shared/storage/queues/transferJobs.ts';

/** Time reserved for the step in progress. */
const RESERVE_MS = 120_000;

export const runTransfer = queueConsumer({
  name: 'runTransfer',
  summary:
    'Exports workspaces, rebuilds derived data of imported ones, such as search indexes, and reindexes for another embedder.',
  queue: 'transfers',
  memoryMb: 1769,
  table: 'writes',
  // An export reads every domain of a workspace.
  partitions: {
    reads: [
      ...(['webhooks', 'conversations', 'users', 'workflows', 'states', 'tags', 'files', 'knowledgeBases'] as const),
      ...(['savedReplies', 'tables', 'botTotals', 'analytics', 'logs', 'bots', 'widgets', 'recurringEvents'] as const),
      ...(['botVersions', 'reports', 'mentions'] as const),
      ...(['integrations', 'integrationNames', 'packages', 'packageNames', 'hub'] as const),
      ...(['accounts', 'workspaces', 'workspaceLists', 'handles', 'gauges', 'usage', 'audit', 'agents'] as const),
    ],
    writes: ['transfers', 'userTerms', 'postings', 'files', 'tags', 'botTotals', 'gauges'],
    appends: ['usage'],
  },
  objects: { reads: ['values', 'assets', 'files', 'exports'], writes: ['exports'], inParts: true },
  largeValues: 'writes',
  index: 'writes',
  sends: ['transfers', 'indexing', 'rows', 'tableJobs', 'code'],
  job: TransferJob,

  run: async (job, { timeLeftMs, isLast }) => {
    const isTimeLeft = () => timeLeftMs() > RESERVE_MS;
    if (job.task === 'reindex') return { ...job, ...(await reindex(job, isTimeLeft)) };
    if (job.task !== 'export') return { ...job, ...(await rebuild(job, isTimeLeft)) };
    const { workspaceId, position } = job;
    try {
      return { ...job, ...(await runExport(workspaceId, position, isTimeLeft)) };
    } catch (error) {
      if (isLast || error instanceof TooLarge) await failExport(workspaceId, position, error);
      if (error instanceof TooLarge) return { ...job, outcome: 'failed' };
      throw error;
    }
  },
});
