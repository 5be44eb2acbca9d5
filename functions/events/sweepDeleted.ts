import { dropIndexing } from '#shared/files/dropIndexing.ts';
import { sweepBot } from '#shared/cleanup/sweepBot.ts';
import { sweepConversation } from '#shared/cleanup/sweepConversation.ts';
import { sweepIntegration } from '#shared/cleanup/sweepIntegration.ts';
import { sweepTable } from '#shared/cleanup/sweepTable.ts';
import { sweepUser } from '#shared/cleanup/sweepUser.ts';
import { sweepWorkspace } from '#shared/cleanup/sweepWorkspace.ts';
import { queueConsumer } from '#shared/consumers/consumer.ts';
import { OutOfTime, type Progress } from '#shared/dynamodb/partitionCleanup.ts';
import { log } from '#shared/log.ts';
import { enqueueSweep, SweepJob } from '#shared/queues/sweeps.ts';

/** What is not done by then goes on in another invocation. */
const STOP_BEFORE_TIMEOUT_MS = 10_000;
/**
 * Longer than any call that was under way when it ended, and longer than a webhook or token is remembered: nobody can
 * write behind a pass that comes so late.
 */
const SECOND_PASS_SECONDS = 60;
/** A workspace looks again so often whether its bots are gone. */
const WAIT_FOR_BOTS_SECONDS = 20;

export const sweepDeleted = queueConsumer({
  name: 'sweepDeleted',
  summary:
    'Removes deleted bots, integrations and workspaces, what deleted conversations, users and tables leave behind, and old passages of files.',
  trigger: { queue: 'sweeps' },
  table: 'writes',
  objects: 'sweeps',
  index: 'writes',
  sends: ['sweeps'],

  handle: async ({ Records }, context) => {
    const isTimeLeft = () => context.getRemainingTimeInMillis() > STOP_BEFORE_TIMEOUT_MS;
    for (const { body } of Records) {
      const job = SweepJob.parse(JSON.parse(body));
      const progress: Progress = { isTimeLeft, removed: 0 };
      const outcome = await sweep(job, progress);
      log.info(SAID[outcome], { operation: 'sweepDeleted', ...job, removed: progress.removed });
      if (outcome === 'unfinished') await enqueueSweep(job);
      else if (outcome === 'waiting') await enqueueSweep(job, WAIT_FOR_BOTS_SECONDS);
      else if (!job.isSecondPass) await enqueueSweep({ ...job, isSecondPass: true }, SECOND_PASS_SECONDS);
    }
  },
});

type SweepOutcome = 'done' | 'unfinished' | 'waiting';
const SAID = { done: 'Swept.', unfinished: 'Swept a piece.', waiting: 'Swept what could be; bots are being deleted.' };

async function sweep(job: SweepJob, progress: Progress): Promise<SweepOutcome> {
  try {
    switch (job.kind) {
      case 'conversation':
      case 'user': {
        const { isDone, removed } = await (job.kind === 'user'
          ? sweepUser(job, progress.isTimeLeft)
          : sweepConversation(job, progress.isTimeLeft));
        progress.removed += removed;
        return isDone ? 'done' : 'unfinished';
      }
      case 'indexing':
        progress.removed += await dropIndexing(job, progress.isTimeLeft);
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
      case 'workspace':
        return (await sweepWorkspace(job.workspaceId, job.isSecondPass, progress)) ? 'done' : 'waiting';
    }
  } catch (error) {
    if (error instanceof OutOfTime) return 'unfinished';
    throw error;
  }
}
