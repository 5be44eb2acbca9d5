/** Code that embeds a chat with the bot: the widget, or the vendor's webchat. */
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import { explain } from '../../api/explain.ts';
import type { Installation } from '../../api/useBot.ts';
import { integrations } from '../../messages/en/integrations.ts';
import { translator } from '../../messages/translate.ts';
import { Copy } from '../../parts/Copyable.tsx';
import { Json } from '../../parts/Small.tsx';
import { Loaded } from '../../parts/States.tsx';
import { configuration } from '../../session/configuration.ts';
import { widgetTag } from './widgetTag.ts';

const t = translator('integrations', integrations);

export function Embed({ botId, chat }: { botId: string; chat: Installation }) {
  const tag = widgetTag({
    page: new URL('.', document.baseURI).href,
    platform: configuration(),
    chat,
  });
  return (
    <Stack gap="xs">
      <Text size="sm">{t('embedAbout')}</Text>
      <Group align="flex-start" wrap="nowrap">
        <Json value={tag} label={t('embedCode')} isText />
        <Copy value={tag} label={t('copyCode')} />
      </Group>
      <AllowedOrigins origins={chat.configuration?.allowedOrigins} />
      <WebchatCode botId={botId} />
    </Stack>
  );
}

function AllowedOrigins({ origins }: { origins: unknown }) {
  if (!Array.isArray(origins)) return <Text size="sm">{t('allOrigins', { setting: t('allowedOrigins') })}</Text>;
  return (
    <Text size="sm" component="div">
      {t('someOrigins')}
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
