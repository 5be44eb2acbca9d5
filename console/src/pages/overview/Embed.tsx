/** Code that embeds a chat with the bot: the widget, or the vendor's webchat. */
import { Anchor, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import { explain } from '../../api/explain.ts';
import type { Bot } from '../../api/useBot.ts';
import { bots } from '../../messages/en/bots.ts';
import { translator } from '../../messages/translate.ts';
import { Copy } from '../../parts/Copyable.tsx';
import { Json } from '../../parts/Small.tsx';
import { Loaded } from '../../parts/States.tsx';
import { configuration } from '../../session/configuration.ts';
import { widgetTag } from './widgetTag.ts';

const t = translator('bots', bots);

interface EmbedProps {
  bot: Bot;
  /** Installations that visitors can use, by alias. */
  chats: [string, Bot['integrations'][string]][];
}

export function Embed({ bot, chats }: EmbedProps) {
  const [isShown, setShown] = useState(false);
  const [chosen, setChosen] = useState('');
  const [, chat] = chats.find(([alias]) => alias === chosen) ?? chats[0]!;
  return (
    <Stack gap="xs">
      <Group>
        <Button variant="default" size="xs" onClick={() => setShown(!isShown)} aria-expanded={isShown}>
          {t(isShown ? 'hideCode' : 'showCode')}
        </Button>
      </Group>
      {isShown && (
        <>
          {chats.length > 1 && (
            <NativeSelect
              label={t('installation')}
              data={chats.map(([alias]) => alias)}
              value={chosen || chats[0]![0]}
              onChange={event => setChosen(event.currentTarget.value)}
            />
          )}
          <WidgetCode chat={chat} />
          <WebchatCode botId={bot.id} />
        </>
      )}
    </Stack>
  );
}

function WidgetCode({ chat }: { chat: Bot['integrations'][string] }) {
  const tag = widgetTag({
    page: new URL('.', document.baseURI).href,
    platform: configuration(),
    chat,
  });
  return (
    <>
      <Text size="sm">{t('embedAbout')}</Text>
      <Group align="flex-start" wrap="nowrap">
        <Json value={tag} label={t('embedCode')} isText />
        <Copy value={tag} label={t('copyCode')} />
      </Group>
      <AllowedOrigins origins={chat.configuration?.allowedOrigins} />
    </>
  );
}

function AllowedOrigins({ origins }: { origins: unknown }) {
  const setting = <code>allowedOrigins</code>;
  if (!Array.isArray(origins)) return <Text size="sm">{t.rich('allOrigins', { setting })}</Text>;
  return (
    <Text size="sm" component="div">
      {t.rich('someOrigins', { setting })}
      <ul>
        {origins.map(origin => (
          <li key={String(origin)}>{String(origin)}</li>
        ))}
      </ul>
    </Text>
  );
}

/** Only for installations that accept the client's extensions, which the API checks. */
function WebchatCode({ botId }: { botId: string }) {
  const client = useAdminClient();
  const [isShown, setShown] = useState(false);
  const query = useQuery({
    queryKey: ['embed', botId],
    queryFn: async () => (await client.getBotWebchat({ id: botId, type: 'preconfigured' })).code,
    enabled: isShown,
    retry: (count, error) => count < 2 && explain(error).type === 'Internal',
  });
  return (
    <>
      <Text size="sm">
        {t.rich('webchatAbout', {
          client: (
            <Anchor component="button" type="button" size="sm" underline="always" onClick={() => setShown(!isShown)}>
              @botpress/webchat
            </Anchor>
          ),
        })}
      </Text>
      {isShown && <Loaded query={query}>{code => <Json value={code} label={t('webchatCode')} isText />}</Loaded>}
    </>
  );
}
