import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import type { Bot } from '../../api/useBot.ts';
import { bots } from '../../messages/en/bots.ts';
import { translator } from '../../messages/translate.ts';
import { Copyable } from '../../parts/Copyable.tsx';
import { Monogram } from '../../parts/Monogram.tsx';
import { Confirm, Status } from '../../parts/Small.tsx';
import { installChat } from './chatIntegration.ts';
import { Embed } from './Embed.tsx';
import classes from './Installations.module.css';

const t = translator('bots', bots);

type Installation = Bot['integrations'][string];

const KINDS = {
  registered: 'good',
  registration_pending: 'busy',
  registration_failed: 'bad',
  unregistration_pending: 'busy',
  unregistered: 'idle',
  unregistration_failed: 'bad',
} as const;

export function Installations({ bot }: { bot: Bot }) {
  const client = useAdminClient();
  const changes = [['bot', bot.id]];
  const install = useAction(() => installChat(client, bot.id), { done: t('chatInstalled'), changes });
  const update = useAction(
    (integrations: Record<string, object | null>) => client.updateBot({ id: bot.id, integrations }),
    {
      done: t('integrationsChanged'),
      changes,
    },
  );
  const installations = Object.entries(bot.integrations);
  const hasChat = installations.some(([, { name }]) => name === 'chat');
  const chats = installations.filter(([, { enabled, name }]) => enabled && /(^|\/)(chat|webchat)$/.test(name));
  return (
    <Stack>
      {installations.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('noIntegrations')}
        </Text>
      )}
      {installations.map(([alias, installation]) => (
        <div key={alias} className={classes.installation}>
          <Group justify="space-between">
            <Group gap="xs">
              <Monogram name={installation.title || installation.name} id={installation.name} size={28} isSquare />
              <div>
                <Text size="sm" fw={600}>
                  {installation.title || installation.name}
                </Text>
                <Text size="xs" c="dimmed">
                  {`${alias} · ${installation.version}`}
                </Text>
              </div>
              <InstallationStatus installation={installation} />
            </Group>
            <Group gap="xs">
              <Button
                size="xs"
                variant="default"
                onClick={() =>
                  update.mutate({ [alias]: { enabled: !installation.enabled, integrationId: installation.id } })
                }
              >
                {t(installation.enabled ? 'disable' : 'enable')}
              </Button>
              <Confirm
                label={t('uninstall')}
                title={t('uninstallTitle', { name: alias })}
                onConfirm={() => update.mutate({ [alias]: null })}
              >
                {t('uninstallAbout')}
              </Confirm>
            </Group>
          </Group>
          {installation.statusReason && (
            <Text size="sm" c="var(--mantine-color-error)">
              {installation.statusReason}
            </Text>
          )}
          <Copyable value={installation.webhookUrl} label={t('copyWebhook', { name: alias })} />
        </div>
      ))}
      <Group align="flex-end">
        {!hasChat && (
          <Button onClick={() => install.mutate(undefined)} loading={install.isPending}>
            {t('installChat')}
          </Button>
        )}
        <InstallOther bot={bot} install={update.mutate} isBusy={update.isPending} />
      </Group>
      {chats.length > 0 && <Embed bot={bot} chats={chats} />}
    </Stack>
  );
}

function InstallationStatus({ installation: { enabled, status } }: { installation: Installation }) {
  if (!enabled) return <Status kind="idle">{t('disabled')}</Status>;
  return <Status kind={KINDS[status]}>{t(status)}</Status>;
}

interface InstallOtherProps {
  bot: Bot;
  install: (integrations: Record<string, object>) => void;
  isBusy: boolean;
}

function InstallOther({ bot, install, isBusy }: InstallOtherProps) {
  const client = useAdminClient();
  const [chosen, setChosen] = useState('');
  const { data = [] } = useQuery({
    queryKey: ['integrations'],
    queryFn: async () => {
      const [own, published] = await Promise.all([client.listIntegrations({}), client.listPublicIntegrations({})]);
      return [...own.integrations, ...published.integrations];
    },
  });
  const byId = new Map(data.map(each => [each.id, each]));
  const add = () => {
    const { id, name } = byId.get(chosen)!;
    const alias = name.split('/').at(-1)!;
    install({
      [alias in bot.integrations ? `${alias}-2` : alias]: { integrationId: id, enabled: true, configuration: {} },
    });
  };
  if (byId.size === 0) return null;
  return (
    <Group align="flex-end">
      <NativeSelect
        label={t('installOther')}
        value={chosen}
        onChange={event => setChosen(event.currentTarget.value)}
        data={[
          { value: '', label: t('choose') },
          ...[...byId.values()].map(({ id, name, version }) => ({ value: id, label: `${name} ${version}` })),
        ]}
      />
      <Button variant="default" disabled={!chosen} loading={isBusy} onClick={add}>
        {t('install')}
      </Button>
    </Group>
  );
}
