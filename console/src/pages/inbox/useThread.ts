import { useMessages } from '../conversations/useMessages.ts';

const OPTIONS = { pageSize: 40 };

/** Reads the messages of the open conversation, newest first. */
export const useThread = (botId: string, conversationId: string) => useMessages(botId, conversationId, OPTIONS);
