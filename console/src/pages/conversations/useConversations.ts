/** Queries of the conversation list and pages. */
import type { Client } from '@botpress/client';
import { useQuery } from '@tanstack/react-query';
import { useBotClient } from '../../api/clients.ts';
import { useLive } from '../../api/live/useLive.ts';
import { pageOf, useList } from '../../api/useList.ts';
import { type ConversationSearch, readSearch } from './readSearch.ts';

/** Adds the message count and labels, which the client's type lacks. */
export type Conversation = Awaited<ReturnType<Client['listConversations']>>['conversations'][number] & {
  messageCount?: number;
  labelIds?: string[];
};
export type Participant = Awaited<ReturnType<Client['listParticipants']>>['participants'][number];

/** Returns the account id of a member who joined the conversation. The client's type lacks the field. */
export const memberIdOf = (user: Participant): string | undefined =>
  (user as { memberAccountId?: string }).memberAccountId;
export const isMember = (user: Participant): boolean => memberIdOf(user) !== undefined;

/** Maximum number of participants whose names are read. Other participants are shown by id. */
const MAX_PARTICIPANTS = 200;

export function useParticipants(botId: string, id: string) {
  const client = useBotClient(botId);
  return useQuery({
    queryKey: ['participants', botId, id],
    queryFn: () => client.list.participants({ id }).collect({ limit: MAX_PARTICIPANTS }),
    ...useLive(botId),
  });
}

export interface Filters {
  text: string;
  integration: string;
}

/** Newest activity first. */
export function useConversationList(botId: string, { text, integration }: Filters, isEnabled = true) {
  const client = useBotClient(botId);
  const { words: _, ...search }: ConversationSearch = readSearch(text);
  return useList(
    ['conversations', botId, search, integration],
    async nextToken => {
      if (search.id) {
        const { conversation } = await client.getConversation({ id: search.id });
        return { items: [conversation as Conversation], nextToken: undefined };
      }
      const answer = await client.listConversations({
        sortField: 'updatedAt',
        sortDirection: 'desc',
        ...(nextToken ? { nextToken } : {}),
        ...(search.tags ? { tags: search.tags } : {}),
        ...(search.participant ? { participantIds: [search.participant] } : {}),
        ...(integration ? { integrationName: integration } : {}),
      });
      return pageOf(answer.conversations as Conversation[], answer);
    },
    { live: useLive(botId, isEnabled) },
  );
}

/** Changes with each new and each deleted message. A deletion does not change `updatedAt`. */
const versionOf = ({ updatedAt, messageCount }: Pick<Conversation, 'updatedAt' | 'messageCount'>): string =>
  `${updatedAt} ${messageCount ?? ''}`;

/** Returns the participants' names and the latest message. Refetches when the conversation changes. */
export function usePreview(botId: string, conversation: Conversation, isEnabled = true) {
  const { id } = conversation;
  const client = useBotClient(botId);
  return useQuery({
    queryKey: ['preview', botId, id, versionOf(conversation)],
    queryFn: async () => {
      const [{ participants }, { messages }] = await Promise.all([
        client.listParticipants({ id }),
        client.listMessages({ conversationId: id, pageSize: 1 }),
      ]);
      return { people: participants.filter(each => each.id !== botId && !isMember(each)), latest: messages[0] };
    },
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: before => before,
  });
}
