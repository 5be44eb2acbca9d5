import { conversation } from '../messages/en/conversation.ts';
import { translator } from '../messages/translate.ts';
import { useParley } from './clients.ts';
import { useAction } from './useAction.ts';

const t = translator('conversation', conversation);

/** Delivers one message again. */
export function useRetryMessage(botId: string, messageId: string, onDone?: () => void) {
  const parley = useParley(botId);
  return useAction(() => parley.retryMessage(messageId), {
    done: t('retried'),
    changes: [
      ['messages', botId],
      ['deliveries', botId],
      ['events', botId],
      ['pendingDeliveries', botId],
    ],
    ...(onDone ? { onDone } : {}),
  });
}
