import { clock } from '#shared/core/clock.ts';
import { reconcileHandoff } from '#shared/domain/botChat/handoffs/reconcile.ts';
import { dropIndexing } from '#shared/domain/files/dropIndexing.ts';
import { deleteUploadCopies } from '#shared/domain/files/uploadCopies.ts';
import { type ErasurePlace, eraseUser } from '#shared/events/cleanup/eraseUser.ts';
import { reconcileBotHandoffs, reconcileMemberHandoffs } from '#shared/events/cleanup/reconcileHandoffs.ts';
import { sweepBot } from '#shared/events/cleanup/sweepBot.ts';
import { sweepIntegration } from '#shared/events/cleanup/sweepIntegration.ts';
import { sweepPackage } from '#shared/events/cleanup/sweepPackage.ts';
import { sweepTable } from '#shared/events/cleanup/sweepTable.ts';
import { sweepWorkspace } from '#shared/events/cleanup/sweepWorkspace.ts';
import { queueConsumer } from '#shared/events/consumers/consumer.ts';
import { clearConversation, clearUser } from '#shared/storage/dynamodb/cleanup/chat.ts';
import { OutOfTime, type Progress } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { enqueueSweep, SweepJob } from '#shared/storage/queues/sweepJobs.ts';

const STOP_BEFORE_TIMEOUT_MS = 10_000;
/**
 * Exceeds the duration of calls that were in progress at the deletion, and the lifetime of cached webhooks and tokens.
 * Nothing is written after this pass.
 */
const SECOND_PASS_SECONDS = 60;
/** Poll interval of a workspace that waits for the deletion of its bots. */
const WAIT_FOR_BOTS_SECONDS = 20;

export const sweepDeleted = queueConsumer({
  name: 'sweepDeleted',
  summary:
    'Removes the data of deleted bots, integrations, interfaces, plugins, workspaces, conversations, users and tables, outdated passages of files, and copies of their uploads. Ends or releases handoffs whose member, user or installation has ended.',
  queue: 'sweeps',
  table: 'writes',
  // Tenant data is stored in every domain except the cross-tenant domains.
  partitions: {
    writes: [
      ...([
        'webhooks',
        'conversations',
        'users',
        'workflows',
        'states',
        'savedReplies',
        'mentions',
        'tags',
        'answers',
      ] as const),
      'userTerms',
      ...(['files', 'knowledgeBases', 'postings', 'tables', 'botTotals', 'analytics', 'reports', 'logs'] as const),
      ...([
        'bots',
        'widgets',
        'botVersions',
        'recurringEvents',
        'endpoints',
        'pausedConversations',
        'pendingDestinations',
        'integrations',
        'integrationNames',
      ] as const),
      ...(['packages', 'packageNames', 'hub', 'accounts', 'workspaces', 'workspaceLists', 'handles'] as const),
      ...(['agents', 'gauges', 'usage', 'audit', 'deadLetters', 'transfers'] as const),
    ],
  },
  objects: {
    reads: ['deadLetters'],
    deletes: ['values', 'assets', 'files', 'uploads', 'deadLetters', 'snapshots', 'exports'],
  },
  // Copies of an erased user's data are found by their content.
  largeValues: 'reads',
  index: 'removes',
  sends: ['sweeps'],
  job: SweepJob,

  run: async (job, { timeLeftMs }) => {
    const progress: Progress = { isTimeLeft: () => timeLeftMs() > STOP_BEFORE_TIMEOUT_MS, removed: 0 };
    const outcome = await sweep(job, progress);
    if (outcome === 'unfinished') await enqueueSweep(job);
    else if (outcome === 'waiting') await enqueueSweep(job, WAIT_FOR_BOTS_SECONDS);
    else if (outcome === 'done' && !job.isSecondPass)
      await enqueueSweep({ ...job, isSecondPass: true, place: undefined } as SweepJob, SECOND_PASS_SECONDS);
    // The log must not name the erased user.
    const fields = job.kind === 'erasure' ? { kind: job.kind, botId: job.botId } : job;
    return { ...fields, outcome, removed: progress.removed };
  },
});

/** `waiting`: bots of the workspace are still being deleted. */
type SweepOutcome = 'done' | 'unfinished' | 'continued' | 'waiting';

async function sweep(job: SweepJob, progress: Progress): Promise<SweepOutcome> {
  try {
    switch (job.kind) {
      case 'conversation':
        await clearConversation(job, progress);
        return 'done';
      case 'user':
        await clearUser(job, progress);
        return 'done';
      case 'erasure': {
        const place = await eraseUser(job, job.place as ErasurePlace | undefined, progress);
        if (!place) return 'done';
        // Continues where it stopped.
        await enqueueSweep({ ...job, place });
        return 'continued';
      }
      case 'handoff':
        await reconcileHandoff(job.botId, job.handoffId, clock.now());
        return 'done';
      case 'handoffs':
        await reconcileBotHandoffs(job.botId, progress);
        return 'done';
      case 'member': {
        const { isDone, after } = await reconcileMemberHandoffs(job.workspaceId, job.accountId, job.after, progress);
        if (isDone) return 'done';
        await enqueueSweep({ ...job, after });
        return 'continued';
      }
      case 'indexing':
        progress.removed += await dropIndexing(job, progress.isTimeLeft);
        return 'done';
      case 'uploadCopies':
        progress.removed += await deleteUploadCopies(job.botId, job.fileId, job.upload);
        return 'done';
      case 'table':
        await sweepTable(job.botId, job.tableId, progress);
        return 'done';
      case 'bot':
        await sweepBot(job.botId, job.isSecondPass, progress);
        return 'done';
      case 'integration':
        await sweepIntegration(job.integrationId, progress);
        return 'done';
      case 'package':
        await sweepPackage(job.packageId, progress);
        return 'done';
      case 'workspace':
        return (await sweepWorkspace(job.workspaceId, job.isSecondPass, progress)) ? 'done' : 'waiting';
    }
  } catch (error) {
    if (error instanceof OutOfTime) return 'unfinished';
    throw error;
  }
}
