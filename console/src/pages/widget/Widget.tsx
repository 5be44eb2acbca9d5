/** The content of a bot's chat widget, with a live preview. */
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParley } from '../../api/clients.ts';
import { type Bot, type Installation, useBot } from '../../api/useBot.ts';
import { IconMessageCircle } from '../../icons/tabler.ts';
import { widget } from '../../messages/en/widget.ts';
import { translator } from '../../messages/translate.ts';
import { useBotId } from '../../navigation/useRoute.ts';
import { Page } from '../../parts/Page.tsx';
import { Empty, Loaded } from '../../parts/States.tsx';
import { isChatName } from '../integrations/chatFields.ts';
import { InstallChat } from '../integrations/InstallChat.tsx';
import { WidgetEditor } from './WidgetEditor.tsx';

const t = translator('widget', widget);

export function Widget() {
  const query = useBot(useBotId());
  return (
    <Page title={t('title')} about={t('about')}>
      <Loaded query={query}>{bot => <OfBot key={bot.id} bot={bot} />}</Loaded>
    </Page>
  );
}

function OfBot({ bot }: { bot: Bot }) {
  const chats = Object.entries(bot.integrations).filter(([, { name }]) => isChatName(name));
  const [chosen, setChosen] = useState(chats[0]?.[0]);
  const chat = chats.find(([alias]) => alias === chosen)?.[1] ?? chats[0]?.[1];
  if (!chat)
    return (
      <Empty Icon={IconMessageCircle} title={t('noChat')} action={<InstallChat botId={bot.id} />}>
        {t('noChatAbout')}
      </Empty>
    );
  return (
    <>
      {chats.length > 1 && (
        <NativeSelect
          label={t('chat')}
          data={chats.map(([alias]) => alias)}
          value={chosen}
          onChange={event => setChosen(event.currentTarget.value)}
          maw={320}
        />
      )}
      <OfChat key={chat.webhookId} bot={bot} chat={chat} />
    </>
  );
}

function OfChat({ bot, chat }: { bot: Bot; chat: Installation }) {
  const parley = useParley(bot.id);
  const query = useQuery({
    queryKey: ['widget', bot.id, chat.webhookId],
    queryFn: async () => (await parley.getWidget(chat.webhookId)).widget,
    // The form keeps what it was filled with. The next visit reads it again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return <Loaded query={query}>{stored => <WidgetEditor bot={bot} chat={chat} stored={stored} />}</Loaded>;
}
