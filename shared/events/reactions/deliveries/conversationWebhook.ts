import { cached } from '#shared/core/cache.ts';
import { findConversation } from '#shared/storage/dynamodb/chat/conversations.ts';

/** A conversation's installation never changes. */
const CACHE_MS = 60_000;
const webhookOfKey = cached(
  async (key: string) => {
    const [botId, conversationId] = key.split('#') as [string, string];
    return (await findConversation(botId, conversationId))?.webhookId;
  },
  { forMs: CACHE_MS, keepsAbsence: false, upTo: 1_000 },
);
/** Returns the webhook id of the installation to which a conversation belongs. */
export const webhookOf = (botId: string, conversationId: string) => webhookOfKey(`${botId}#${conversationId}`);
