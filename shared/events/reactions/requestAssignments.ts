import { findInboxSettings } from '#shared/storage/dynamodb/agents/inboxSettings.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { parseHandoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { type AssignmentJob, enqueueAssignment } from '#shared/storage/queues/assignmentJobs.ts';

/**
 * Exceeds the duration of reactions and checks that are in progress when a bot or a member is removed, which could
 * record a conversation again.
 */
const FORGET_SECONDS = 60;

/**
 * Requests automatic assignment after a change that may permit one, in workspaces that use it, and cleans up after
 * removed bots and members. Idempotent.
 */
export async function requestAssignments(change: StreamChange): Promise<void> {
  const { kind, event, botId: tenant, before, after } = change;
  const isAdded = event !== 'REMOVE';
  switch (kind) {
    case 'handoff':
      return isAdded && after.status === 'waiting' && before.status !== 'waiting' ? requestFor(change) : undefined;
    case 'agent':
      return isAdded && mayReceiveMore(change) ? request({ kind: 'assign', workspaceId: tenant }) : undefined;
    case 'inboxSettings': {
      if (!isAdded) return;
      const isRecount = after.assignment === 'automatic' && before.assignment !== 'automatic';
      await enqueueAssignment({ kind: 'settings', workspaceId: tenant, isRecount });
      return;
    }
    case 'member': {
      const accountId = (event === 'REMOVE' ? before : after).accountId as string | undefined;
      if (accountId === undefined) return;
      if (event === 'REMOVE') {
        return enqueueAssignment({ kind: 'forgetAgent', workspaceId: tenant, accountId }, FORGET_SECONDS);
      }
      const isChanged = after.role !== before.role || JSON.stringify(after.botIds) !== JSON.stringify(before.botIds);
      return isChanged ? request({ kind: 'assign', workspaceId: tenant }) : undefined;
    }
    case 'bot': {
      const isLeft = event !== 'INSERT' && (event === 'REMOVE' || isGone(change));
      if (isLeft) {
        const workspaceId = String(before.workspaceId);
        await enqueueAssignment({ kind: 'forgetBot', workspaceId, botId: tenant }, FORGET_SECONDS);
      }
      if (event === 'MODIFY' && after.workspaceId !== before.workspaceId) {
        await request({ kind: 'assign', workspaceId: String(after.workspaceId) });
      }
      return;
    }
    default:
      return;
  }
}

const isGone = ({ before, after }: StreamChange): boolean =>
  after.workspaceId !== before.workspaceId || (after.deletedAtMs !== undefined && before.deletedAtMs === undefined);

async function requestFor({ botId, after }: StreamChange): Promise<void> {
  const bot = await findBot(botId);
  if (!bot || bot.deletedAtMs !== undefined) return;
  const handoff = { botId, handoffId: parseHandoff(after).id };
  await request({ kind: 'assign', workspaceId: bot.workspaceId, handoff });
}

/** Returns true if the agent connected, became available, or has fewer conversations. */
function mayReceiveMore({ before, after }: StreamChange): boolean {
  const openOf = ({ open }: StreamChange['after']) => (open as Set<string> | undefined)?.size ?? 0;
  return (
    after.connectedAtMs !== before.connectedAtMs ||
    (after.availability === 'online' && before.availability !== 'online') ||
    openOf(after) < openOf(before)
  );
}

/** Workspaces with manual assignment cost a read. */
async function request(job: Extract<AssignmentJob, { kind: 'assign' }>): Promise<void> {
  const { assignment } = await findInboxSettings(job.workspaceId);
  if (assignment === 'automatic') await enqueueAssignment(job);
}
