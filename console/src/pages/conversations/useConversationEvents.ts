import { useQuery } from '@tanstack/react-query';
import { useBotClient } from '../../api/clients.ts';
import { LIVE_MS } from '../../api/live.ts';

/** Returns the latest events of a conversation, newest first, live. */
export function useConversationEvents(botId: string, conversationId: string) {
  const client = useBotClient(botId);
  return useQuery({
    queryKey: ['events', botId, 'of', conversationId],
    queryFn: async () => (await client.listEvents({ conversationId })).events,
    refetchInterval: LIVE_MS,
  });
}
