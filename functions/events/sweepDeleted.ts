import { log } from '../../shared/http/log.ts';
import { queueReaction } from '../../shared/reaction.ts';
import { requestSweep, SweepJob } from '../../shared/sweep.ts';
import { sweepConversation } from '../../shared/table/sweepConversation.ts';
import { sweepUser } from '../../shared/table/sweepUser.ts';

/** What is not done by then goes on in another invocation. */
const STOP_BEFORE_TIMEOUT_MS = 10_000;
/** Longer than any call that was under way when the conversation ended, and so could write behind the first pass. */
const SECOND_PASS_SECONDS = 60;

export const sweepDeleted = queueReaction({
  name: 'sweepDeleted',
  summary: 'Removes what deleted conversations and users leave behind, in pieces that fit an invocation.',
  trigger: { queue: 'sweeps' },
  table: 'writes',
  sends: 'sweeps',

  handle: async ({ Records }, context) => {
    const isTimeLeft = () => context.getRemainingTimeInMillis() > STOP_BEFORE_TIMEOUT_MS;
    for (const { body } of Records) {
      const job = SweepJob.parse(JSON.parse(body));
      const { isDone, removed } = await (job.kind === 'conversation'
        ? sweepConversation(job, isTimeLeft)
        : sweepUser(job, isTimeLeft));
      log.info(isDone ? 'Swept.' : 'Swept a piece.', { operation: 'sweepDeleted', ...job, removed });
      if (!isDone) await requestSweep(job);
      else if (!job.isSecondPass) await requestSweep({ ...job, isSecondPass: true }, SECOND_PASS_SECONDS);
    }
  },
});
