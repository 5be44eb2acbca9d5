/** Queries of a conversation's messages and of their deliveries. */
import { useQuery } from '@tanstack/react-query';
import { useBotClient } from '../../api/clients.ts';
import { LIVE_MS } from '../../api/live.ts';
import { pageOf, useList } from '../../api/useList.ts';

interface Options {
  everyMs?: number;
  pageSize?: number;
}

/** Lists messages, newest first. `pageSize` defaults to the API's. */
export function useMessages(botId: string, conversationId: string, { everyMs = LIVE_MS, pageSize }: Options = {}) {
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
    { everyMs },
  );
}

/** Returns the events by which the bot receives the messages, by message id. */
export function useDeliveries(botId: string, conversationId: string, messageCount: number, everyMs = LIVE_MS) {
  const client = useBotClient(botId);
  const { data: events = [] } = useQuery({
    queryKey: ['deliveries', botId, conversationId, messageCount],
    queryFn: () => client.list.events({ conversationId }).collect({ limit: Math.max(100, 2 * messageCount) }),
    refetchInterval: everyMs,
    placeholderData: before => before,
  });
  return new Map(events.flatMap(event => (event.messageId ? [[event.messageId, event] as const] : [])));
}
