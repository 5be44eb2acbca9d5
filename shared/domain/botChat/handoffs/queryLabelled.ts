/** Handoffs of the inbox whose conversations have a label, which no index contains. */
import { findInboxLabels } from '#shared/storage/dynamodb/agents/inboxLabels.ts';
import { type Conversation, findConversationsOfBots } from '#shared/storage/dynamodb/chat/conversations.ts';
import {
  type HandoffFilters,
  listHandoffEntries,
  readHandoffsOfBots,
} from '#shared/storage/dynamodb/chat/handoffLists.ts';
import { inChunks, pageOfList } from '#shared/storage/dynamodb/lists/lists.ts';
import { matches, rangeFrom } from './queryHandoffs.ts';
import type { InboxOptions, InboxPage, OfBot } from './queryInbox.ts';

/** Entries whose handoffs and conversations are read together. */
const READ_TOGETHER = 50;

/**
 * Reads the handoffs of a list and their conversations, and omits those without the label. A call reads up to 1,000
 * (`pageOfList`); the page may then be short, and has a token. A deleted label has no handoffs.
 */
export async function queryLabelled(
  { workspaceId }: { workspaceId: string },
  botIds: readonly string[],
  filters: readonly HandoffFilters[],
  labelId: string,
  { pageSize, direction, after }: InboxOptions,
): Promise<InboxPage> {
  const { labels } = await findInboxLabels(workspaceId);
  if (!labels.some(({ id }) => id === labelId)) return { handoffs: [] };

  const isListed = ({ handoff }: OfBot, conversation: Conversation | undefined) =>
    conversation?.labelIds?.includes(labelId) === true &&
    conversation.generation === (handoff.generation ?? 0) &&
    filters.some(each => matches(handoff, each));
  async function* labelled() {
    const entries = listHandoffEntries(botIds, filters, rangeFrom(direction, after));
    for await (const chunk of inChunks(entries, READ_TOGETHER)) {
      const found = await readHandoffsOfBots(chunk);
      const conversations = await findConversationsOfBots(
        found.map(({ botId, handoff }) => ({ botId, conversationId: handoff.conversationId })),
      );
      for (const [i, { sortKey, ...record }] of found.entries()) {
        yield { sortKey, record: isListed(record, conversations[i]) ? record : undefined };
      }
    }
  }
  const { records, next } = await pageOfList(labelled(), pageSize);
  return { handoffs: records, next };
}
