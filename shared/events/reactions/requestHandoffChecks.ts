import { findConversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { isOpen, parseHandoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { enqueueSweep, type SweepJob } from '#shared/storage/queues/sweepJobs.ts';

/**
 * Enqueues a check of the handoffs that a change may affect (docs/data-model.md#holders). A new or reassigned handoff
 * is checked as well: it may have been written while its member, user or installation was being removed. Idempotent.
 */
export async function requestHandoffChecks(change: StreamChange): Promise<void> {
  const job = await checkOf(change);
  if (job) await enqueueSweep(job);
}

interface Installations {
  installations?: { webhookId: string }[];
}

/** Identifies the conversations that may be assigned to a member. */
const rightsOf = ({ role, botIds }: StreamChange['after']) => JSON.stringify([role, botIds]);

async function checkOf({ event, kind, botId, id, before, after }: StreamChange): Promise<SweepJob | undefined> {
  // A second pass is not needed, because a later assignment is checked by its own change.
  const isSecondPass = true;
  switch (kind) {
    case 'handoff': {
      if (event === 'REMOVE') return undefined;
      const [former, handoff] = [event === 'INSERT' ? undefined : parseHandoff(before), parseHandoff(after)];
      const isAssigned = !former || former.member?.id !== handoff.member?.id;
      return isAssigned && isOpen(handoff) ? { kind, botId, handoffId: handoff.id, isSecondPass } : undefined;
    }
    case 'formerParticipant': {
      if (event !== 'INSERT') return undefined;
      const handoffId = (await findConversation(botId, id))?.handoffId;
      return handoffId === undefined ? undefined : { kind: 'handoff', botId, handoffId, isSecondPass };
    }
    case 'member': {
      const { accountId } = before as { accountId?: string };
      const isChanged = event === 'REMOVE' || (event === 'MODIFY' && rightsOf(after) !== rightsOf(before));
      return isChanged && accountId !== undefined ? { kind, workspaceId: botId, accountId, isSecondPass } : undefined;
    }
    case 'bot': {
      if (event !== 'MODIFY' || after.deletedAtMs !== undefined) return undefined;
      const isTransferred = after.workspaceId !== before.workspaceId;
      const current = new Set((after as Installations).installations?.map(({ webhookId }) => webhookId));
      const isUninstalled = (before as Installations).installations?.some(({ webhookId }) => !current.has(webhookId));
      return isTransferred || isUninstalled ? { kind: 'handoffs', botId: String(after.id), isSecondPass } : undefined;
    }
    default:
      return undefined;
  }
}
