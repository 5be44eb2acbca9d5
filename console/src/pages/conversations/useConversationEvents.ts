import { useQuery } from '@tanstack/react-query';
import { useBotClient } from '../../api/clients.ts';
import { useLive } from '../../api/live/useLive.ts';

/** Returns the latest events of a conversation, newest first, live. */
export function useConversationEvents(botId: string, conversationId: string) {
  const client = useBotClient(botId);
  return useQuery({
    queryKey: ['events', botId, 'of', conversationId],
    queryFn: async () => (await client.listEvents({ conversationId })).events,
    ...useLive(botId),
  });
}
