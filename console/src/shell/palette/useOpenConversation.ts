/** Opens a conversation by its id, which does not contain the bot. */
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useClientOfBot } from '../../api/clients.ts';
import { useRecentBots } from '../../api/useBot.ts';
import { shell } from '../../messages/en/shell.ts';
import { translator } from '../../messages/translate.ts';
import { useIsAgent } from '../../navigation/usePages.ts';

const t = translator('shell', shell);
const CONVERSATION_ID = /^convo_\w{10,}$/;

/** Returns the conversation id in a query, without whitespace. */
export const conversationIdOf = (query: string): string | undefined => CONVERSATION_ID.exec(query.trim())?.[0];

/** Searches the open bot first, then recently changed bots. */
export function useOpenConversation(openBotId: string | undefined) {
  const navigate = useNavigate();
  const isAgent = useIsAgent();
  const clientOf = useClientOfBot();
  const { data: bots = [] } = useRecentBots();
  return async (id: string): Promise<void> => {
    const find = async (botId: string) => {
      await clientOf(botId).getConversation({ id });
      return botId;
    };
    const others = bots.map(bot => bot.id).filter(botId => botId !== openBotId);
    const inOpenBot = openBotId && (await find(openBotId).catch(() => undefined));
    const botId = inOpenBot || (await Promise.any(others.map(find)).catch(() => undefined));
    if (botId)
      await navigate({ to: (isAgent ? `/inbox/${botId}/${id}` : `/bots/${botId}/conversations/${id}`) as string });
    else notifications.show({ message: t('notFound', { id }), color: 'red' });
  };
}
