/** Handoffs of the inbox whose conversations have a label, which no index contains. */
import { findInboxLabels } from '#shared/storage/dynamodb/agents/inboxLabels.ts';
import { findConversationsOfBots } from '#shared/storage/dynamodb/chat/conversations.ts';
import { type HandoffFilters, listHandoffEntries } from '#shared/storage/dynamodb/chat/handoffLists.ts';
import { parseHandoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { splitPk } from '#shared/storage/dynamodb/keys/table.ts';
import { inChunks, pageOfList, readListed } from '#shared/storage/dynamodb/lists/lists.ts';
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

  async function* labelled() {
    for await (const entries of inChunks(
      listHandoffEntries(botIds, filters, rangeFrom(direction, after)),
      READ_TOGETHER,
    )) {
      const found = (await readListed(entries)).map(({ sortKey, item }) => ({
        sortKey,
        record: { botId: splitPk(item.pk).botId, handoff: parseHandoff(item) },
      }));
      const conversations = await findConversationsOfBots(
        found.map(({ record: { botId, handoff } }) => ({ botId, conversationId: handoff.conversationId })),
      );
      for (const [i, { sortKey, record }] of found.entries()) {
        const isLabelled = conversations[i]?.labelIds?.includes(labelId) === true && isCurrent(record, filters);
        yield { sortKey, record: isLabelled ? record : undefined };
      }
    }
  }
  const { records, next } = await pageOfList(labelled(), pageSize);
  return { handoffs: records, next };
}

const isCurrent = ({ handoff }: OfBot, filters: readonly HandoffFilters[]) =>
  filters.some(each => matches(handoff, each));
