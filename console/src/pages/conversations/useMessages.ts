/** Queries of a conversation's messages and of their deliveries. */
import { useQuery } from '@tanstack/react-query';
import { useBotClient } from '../../api/clients.ts';
import { useLive } from '../../api/live/useLive.ts';
import { pageOf, useList } from '../../api/useList.ts';

/** Lists messages, newest first. `pageSize` defaults to the API's. */
export function useMessages(botId: string, conversationId: string, { pageSize }: { pageSize?: number } = {}) {
  const client = useBotClient(botId);
  return useList(
    ['messages', botId, conversationId, pageSize],
    async nextToken => {
      const answer = await client.listMessages({
        conversationId,
        ...(pageSize ? { pageSize } : {}),
        ...(nextToken ? { nextToken } : {}),
      });
      return pageOf(answer.messages, answer);
    },
    { live: useLive(botId) },
  );
}

/** Returns the events by which the bot receives the messages, by message id. */
export function useDeliveries(botId: string, conversationId: string, messageCount: number) {
  const client = useBotClient(botId);
  const { data: events = [] } = useQuery({
    queryKey: ['deliveries', botId, conversationId, messageCount],
    queryFn: () => client.list.events({ conversationId }).collect({ limit: Math.max(100, 2 * messageCount) }),
    ...useLive(botId),
    placeholderData: before => before,
  });
  return new Map(events.flatMap(event => (event.messageId ? [[event.messageId, event] as const] : [])));
}
