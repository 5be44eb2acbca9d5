import { assignWaiting } from '#shared/domain/botChat/agents/assignWaiting.ts';
import { forgetBot, recountOpen } from '#shared/domain/botChat/agents/recountOpen.ts';
import { planReleases, releaseDisconnected } from '#shared/domain/botChat/agents/releaseDisconnected.ts';
import { queueConsumer } from '#shared/events/consumers/consumer.ts';
import { removeAgentRecord } from '#shared/storage/dynamodb/agents/agents.ts';
import { findAccount } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { AssignmentJob, enqueueAssignment } from '#shared/storage/queues/assignmentJobs.ts';

/** Jobs after conflicts. Later changes request their own. */
const MAX_RETRIES = 5;
const RETRY_SECONDS = 1;

export const assignConversations = queueConsumer({
  name: 'assignConversations',
  summary: 'Assigns waiting conversations to available agents, and returns those of disconnected agents to the queue.',
  queue: 'assignments',
  table: 'writes',
  partitions: {
    reads: ['accounts', 'bots', 'connections', 'workspaceLists'],
    writes: ['agents', 'conversations', 'users'],
    appends: ['audit', 'reports'],
  },
  largeValues: 'writes',
  sends: ['assignments'],
  job: AssignmentJob,

  run: async job => {
    const { kind, workspaceId } = job;
    switch (job.kind) {
      case 'assign': {
        const { assigned, next } = await assignWaiting(workspaceId, job.handoff);
        const { retries = 0 } = job;
        if (next === 'continue') await enqueueAssignment({ kind: 'assign', workspaceId });
        if (next === 'retry' && retries < MAX_RETRIES) {
          await enqueueAssignment({ ...job, retries: retries + 1 }, RETRY_SECONDS);
        }
        return { kind, workspaceId, assigned, next };
      }
      case 'release':
        return { kind, workspaceId, released: await releaseDisconnected(job) };
      case 'settings':
        if (job.isRecount) await recountOpen(workspaceId);
        await planReleases(workspaceId);
        await enqueueAssignment({ kind: 'assign', workspaceId });
        return { kind, workspaceId };
      case 'forgetBot':
        await forgetBot(workspaceId, job.botId);
        return { kind, workspaceId, botId: job.botId };
      case 'forgetAgent': {
        const isMember = (await findAccount(job.accountId))?.memberships[workspaceId] !== undefined;
        if (!isMember) await removeAgentRecord(workspaceId, job.accountId);
        return { kind, workspaceId, isMember };
      }
    }
  },
});
