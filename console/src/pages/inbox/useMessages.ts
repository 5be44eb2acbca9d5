import { useBotClient } from '../../api/clients.ts';
import { LIVE_MS } from '../../api/live.ts';
import { pageOf, useList } from '../../api/useList.ts';

/** Reads the messages of a conversation, newest first. */
export function useMessages(botId: string, conversationId: string) {
  const client = useBotClient(botId);
  return useList(
    ['messages', botId, conversationId, 'inbox'],
    async nextToken => {
      const answer = await client.listMessages({
        conversationId,
        pageSize: 40,
        ...(nextToken ? { nextToken } : {}),
      });
      return pageOf(answer.messages, answer);
    },
    { everyMs: LIVE_MS },
  );
}
