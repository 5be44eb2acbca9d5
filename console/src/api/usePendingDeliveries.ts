import { useQuery } from '@tanstack/react-query';
import { useParley } from './clients.ts';
import type { PendingDelivery } from './contract.ts';
import { useLive } from './live/useLive.ts';

/** Returns the pending delivery of a message. All messages of a conversation share the query. */
export function usePendingDelivery(botId: string, messageId: string, isEnabled: boolean): PendingDelivery | undefined {
  const parley = useParley(botId);
  const conversationId = conversationOf(messageId);
  const live = useLive(isEnabled ? botId : undefined, isEnabled);
  const { data } = useQuery({
    queryKey: ['pendingDeliveries', botId, conversationId],
    queryFn: async () => (await parley.listPendingDeliveries(conversationId)).deliveries,
    ...live,
    enabled: isEnabled && live.enabled,
  });
  return isEnabled ? data?.find(each => each.messageId === messageId) : undefined;
}

/** Derives the conversation from the end of the message id (docs/data-model.md#items). */
const conversationOf = (messageId: string) => `convo_${messageId.slice(-22)}`;
