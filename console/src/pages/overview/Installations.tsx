/** Summary of the installed integrations, which are configured on a separate page. */
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import type { Endpoint } from '../../api/contract.ts';
import type { Bot } from '../../api/useBot.ts';
import { bots } from '../../messages/en/bots.ts';
import { translator } from '../../messages/translate.ts';
import { Monogram } from '../../parts/Monogram.tsx';
import { Status } from '../../parts/Small.tsx';
import { isChatName } from '../integrations/chatFields.ts';
import { InstallChat } from '../integrations/InstallChat.tsx';
import { endpointAt, installationStatus, statusReasonOf } from '../integrations/installationStatus.ts';

const t = translator('bots', bots);

export function Installations({ bot, endpoints = [] }: { bot: Bot; endpoints?: readonly Endpoint[] | undefined }) {
  const { history } = useRouter();
  const installations = Object.entries(bot.integrations);
  const hasChat = installations.some(([, { name }]) => isChatName(name));
  return (
    <Stack gap="xs">
      {installations.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('noIntegrations')}
        </Text>
      )}
      {installations.map(([alias, installation]) => {
        const { kind, label } = installationStatus(installation, endpointAt(endpoints, alias));
        const { title, name } = installation;
        const statusReason = statusReasonOf(installation);
        return (
          <div key={alias}>
            <Group justify="space-between" wrap="nowrap">
              <Group gap="xs" wrap="nowrap" miw={0}>
                <Monogram name={title || name} id={name} size={24} isSquare />
                <Anchor
                  size="sm"
                  fw={500}
                  truncate
                  href={history.createHref(`/bots/${bot.id}/integrations?installation=${encodeURIComponent(alias)}`)}
                >
                  {title || name}
                </Anchor>
              </Group>
              <Status kind={kind}>{label}</Status>
            </Group>
            {statusReason && (
              <Text size="xs" c="var(--mantine-color-error)" lineClamp={2}>
                {statusReason}
              </Text>
            )}
          </div>
        );
      })}
      {!hasChat && (
        <Group>
          <InstallChat botId={bot.id} />
        </Group>
      )}
    </Stack>
  );
}
