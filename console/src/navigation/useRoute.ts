/** Ids in the current URL. */
import { useParams } from '@tanstack/react-router';

interface Parameters {
  botId?: string;
  conversationId?: string;
  table?: string;
}

const useParameters = () => useParams({ strict: false }) as Parameters;

export const useBotId = (): string => useParameters().botId ?? '';
export const useMaybeBotId = (): string | undefined => useParameters().botId;
export const useConversationId = (): string => useParameters().conversationId ?? '';
export const useMaybeConversationId = (): string | undefined => useParameters().conversationId;
export const useTableName = (): string => useParameters().table ?? '';
