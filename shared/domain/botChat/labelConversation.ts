import type { BotCall } from '#shared/api/operations/platform.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import type { CallerScope } from '#shared/domain/messaging/callerScope.ts';
import { findInboxLabels } from '#shared/storage/dynamodb/agents/inboxLabels.ts';
import { type Conversation, setLabels } from '#shared/storage/dynamodb/chat/conversations.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { requireConversation } from './botChatConversations.ts';

const MAX_LABELS_OF_CONVERSATION = 20;

/**
 * Returns the conversation with the changed labels, and the write. Labels that exist already, and missing ones, are
 * ignored. An addition also removes the ids of deleted labels, which would count against the limit.
 * @throws ApiError ResourceNotFound, InvalidPayload for unknown labels and too many
 */
export async function labelConversation(
  call: CallerScope & Pick<BotCall<unknown>, 'workspaceId'>,
  conversationId: string,
  { add = [], remove = [] }: { add?: readonly string[] | undefined; remove?: readonly string[] | undefined },
): Promise<{ conversation: Conversation; writes: Write[] }> {
  if (add.length + remove.length === 0) throw invalidPayload('Name at least one label in add or remove.', 'body');
  const both = add.find(id => remove.includes(id));
  if (both !== undefined) throw invalidPayload(`add and remove both contain ${both}. Name it in one of them.`, 'add');
  const [before, known] = await Promise.all([
    requireConversation(call, conversationId),
    add.length > 0 ? knownLabels(call.workspaceId) : undefined,
  ]);
  const unknown = add.filter(id => !known?.has(id));
  if (unknown.length > 0) {
    throw invalidPayload(`Labels of the workspace have other ids: ${unknown.join(', ')}. See listInboxLabels.`, 'add');
  }
  const { labelIds: current = [] } = before;
  const kept = current.filter(id => !remove.includes(id) && (known?.has(id) ?? true));
  const next = [...new Set([...kept, ...add])];
  if (add.length > 0 && next.length > MAX_LABELS_OF_CONVERSATION) {
    const limit = `A conversation can have at most ${MAX_LABELS_OF_CONVERSATION} labels`;
    throw invalidPayload(`${limit}; this change results in ${next.length}.`, 'add');
  }
  if (next.length === current.length && next.every((id, i) => id === current[i])) {
    return { conversation: before, writes: [] };
  }
  return {
    conversation: { ...before, labelIds: next.length > 0 ? next : undefined },
    writes: [setLabels(call.botId, before, next)],
  };
}

const knownLabels = async (workspaceId: string): Promise<ReadonlySet<string>> =>
  new Set((await findInboxLabels(workspaceId)).labels.map(({ id }) => id));
