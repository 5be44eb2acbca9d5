/** Installed integrations of a bot, and those that it may install. */
import { Group, Text, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Endpoint } from '../../api/contract.ts';
import { type Bot, useBot } from '../../api/useBot.ts';
import { useEndpoints } from '../../api/useEndpoints.ts';
import { IconPlugConnected } from '../../icons/tabler.ts';
import { integrations } from '../../messages/en/integrations.ts';
import { translator } from '../../messages/translate.ts';
import { useBotId } from '../../navigation/useRoute.ts';
import { Detail } from '../../parts/FormDialog.tsx';
import { Monogram } from '../../parts/Monogram.tsx';
import { Page } from '../../parts/Page.tsx';
import { RowButton, Status } from '../../parts/Small.tsx';
import { Empty, Loaded } from '../../parts/States.tsx';
import { HubList } from './HubList.tsx';
import { offerOf, upgradeOf, useOffers } from './hubOffers.ts';
import { Install } from './Install.tsx';
import { InstallationDetail } from './InstallationDetail.tsx';
import { InstallChat } from './InstallChat.tsx';
import classes from './Integrations.module.css';
import { endpointAt, installationStatus, statusReasonOf } from './installationStatus.ts';
import { Plugins } from './Plugins.tsx';

const t = translator('integrations', integrations);

export function Integrations() {
  const query = useBot(useBotId());
  return (
    <Page title={t('title')} about={t('about')}>
      <Loaded query={query}>{bot => <OfBot key={bot.id} bot={bot} />}</Loaded>
    </Page>
  );
}

function OfBot({ bot }: { bot: Bot }) {
  const { alias, integrationId, show, close } = useOpened();
  const offers = useOffers();
  const { data: endpoints } = useEndpoints(bot.id);
  const opened = alias === undefined ? undefined : bot.integrations[alias];
  const offer = offerOf(offers.data, integrationId ?? '');
  const isUnknown = integrationId !== undefined && offers.data !== undefined && offer === undefined;
  const { refetch } = offers;
  useEffect(() => {
    // The link may lead to an integration that was created after the list was read.
    if (isUnknown) void refetch();
  }, [isUnknown, refetch]);
  return (
    <>
      <section aria-labelledby="installed">
        <Title order={2} size="h4" mb="xs" id="installed">
          {t('installed')}
        </Title>
        <Installed bot={bot} endpoints={endpoints} onOpen={each => show({ installation: each })} />
      </section>
      <Plugins bot={bot} />
      <HubList bot={bot} query={offers} onOpen={id => show({ integration: id })} />
      <Detail of={opened} title={opened && (opened.title || opened.name)} onClose={close}>
        {installation => (
          <InstallationDetail
            key={alias}
            bot={bot}
            alias={alias!}
            installation={installation}
            offer={offerOf(offers.data, installation.id)}
            endpoint={endpointAt(endpoints, alias!)}
          />
        )}
      </Detail>
      <Detail of={offer} title={offer?.title} onClose={close}>
        {each => <Install key={integrationId} bot={bot} offer={each} onDone={added => show({ installation: added })} />}
      </Detail>
    </>
  );
}

interface InstalledProps {
  bot: Bot;
  endpoints: readonly Endpoint[] | undefined;
  onOpen: (alias: string) => void;
}

function Installed({ bot, endpoints, onOpen }: InstalledProps) {
  const { data: offers } = useOffers();
  const installations = Object.entries(bot.integrations);
  if (installations.length === 0)
    return (
      <div className={classes.list}>
        <Empty Icon={IconPlugConnected} title={t('none')} action={<InstallChat botId={bot.id} />}>
          {t('noneAbout')}
        </Empty>
      </div>
    );
  return (
    <ul className={classes.list}>
      {installations.map(([alias, installation]) => {
        const { kind, label } = installationStatus(installation, endpointAt(endpoints, alias));
        const reason = statusReasonOf(installation);
        return (
          <li key={alias} className={classes.item}>
            <Monogram name={installation.title || installation.name} id={installation.name} size={32} isSquare />
            <div className={classes.text}>
              <RowButton onClick={() => onOpen(alias)}>{installation.title || installation.name}</RowButton>
              <Text size="xs" c="dimmed">
                <bdi>{alias}</bdi> · <bdi>{installation.version}</bdi>
              </Text>
              {reason && (
                <Text size="xs" c="var(--mantine-color-error)" lineClamp={2}>
                  {reason}
                </Text>
              )}
            </div>
            <Group gap={6} justify="flex-end">
              {upgradeOf(offerOf(offers, installation.id), installation.id) && (
                <Status kind="idle">{t('upgradeAvailable')}</Status>
              )}
              <Status kind={kind}>{label}</Status>
            </Group>
          </li>
        );
      })}
    </ul>
  );
}

interface Opened {
  installation?: string;
  integration?: string;
}

/** The installation or integration whose panel is open, in the URL. */
function useOpened() {
  const { installation, integration } = useSearch({ strict: false }) as Opened;
  const navigate = useNavigate();
  return {
    // The router parses values such as numbers.
    alias: installation === undefined ? undefined : String(installation),
    integrationId: integration === undefined ? undefined : String(integration),
    show: (opened: Opened) => void navigate({ to: '.', search: { ...opened } }),
    close: () => void navigate({ to: '.', search: {} }),
  };
}
