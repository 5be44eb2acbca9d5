import { Alert, Anchor, SimpleGrid, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Endpoint } from '../../api/contract.ts';
import { type Bot, failureOf, urlOf, useBot } from '../../api/useBot.ts';
import { isUnhealthy, useEndpoints } from '../../api/useEndpoints.ts';
import { IconAlertCircle } from '../../icons/tabler.ts';
import { bots } from '../../messages/en/bots.ts';
import { translator } from '../../messages/translate.ts';
import { useBotId } from '../../navigation/useRoute.ts';
import { Copyable } from '../../parts/Copyable.tsx';
import { EndpointAlert } from '../../parts/EndpointAlert.tsx';
import { endpointStatus } from '../../parts/endpointStatus.ts';
import { Page } from '../../parts/Page.tsx';
import { Section } from '../../parts/Section.tsx';
import { Fact, Facts, Status, type StatusKind, Tags, When } from '../../parts/Small.tsx';
import { Loaded, Loading } from '../../parts/States.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { Installations } from './Installations.tsx';

const t = translator('bots', bots);

/** Loaded lazily: few bots have recurring events, and their schedules require a parser. */
const Recurring = lazy(() => import('./Recurring.tsx').then(({ Recurring }) => ({ default: Recurring })));

export function Overview() {
  const query = useBot(useBotId());
  return <Loaded query={query}>{bot => <BotPage key={bot.id} bot={bot} />}</Loaded>;
}

const KINDS = { deploying: 'busy', deleting: 'bad' } as const;

function BotPage({ bot }: { bot: Bot }) {
  const failure = failureOf(bot);
  const { data: endpoints } = useEndpoints(bot.id);
  const endpoint = endpoints?.find(({ integrationAlias }) => integrationAlias === undefined);
  return (
    <Page title={bot.name || t('bot')} badge={<BotStatus bot={bot} endpoint={endpoint} />} about={bot.description}>
      {failure && (
        <Alert variant="light" color="red" icon={<IconAlertCircle />} title={t('notStarted')} role="alert">
          <Text size="sm" c="var(--mantine-color-text)" style={{ overflowWrap: 'anywhere' }}>
            {failure}
          </Text>
          <Text size="sm" c="var(--mantine-color-text)" mt={4}>
            {t('notStartedAbout')}
          </Text>
        </Alert>
      )}
      <EndpointAlert botId={bot.id} endpoint={endpoint} />
      <FirstSteps bot={bot} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Section title={t('details')}>
          <Facts>
            <Fact name={t('botId')}>
              <Copyable value={bot.id} label={t('copyBotId')} />
            </Fact>
            <Fact name={t('createdAt')}>
              <When at={bot.createdAt} />
            </Fact>
            <Fact name={t('changed')}>
              <When at={bot.updatedAt} />
            </Fact>
            {Object.keys(bot.tags).length > 0 && (
              <Fact name={t('tags')}>
                <Tags tags={bot.tags} />
              </Fact>
            )}
          </Facts>
        </Section>
        <Deployment bot={bot} />
      </SimpleGrid>
      <Section
        title={t('integrations')}
        about={t('integrationsAbout')}
        actions={
          <Anchor component={Link} size="sm" to={`/bots/${bot.id}/integrations` as string}>
            {t('manageIntegrations')}
          </Anchor>
        }
      >
        <Installations bot={bot} endpoints={endpoints} />
      </Section>
      {Object.keys(bot.recurringEvents).length > 0 && (
        <Suspense fallback={<Loading />}>
          <Recurring bot={bot} />
        </Suspense>
      )}
    </Page>
  );
}

function BotStatus({ bot, endpoint }: { bot: Bot; endpoint: Endpoint | undefined }) {
  const { kind, label } = statusOf(bot, endpoint);
  return (
    <>
      {label && <Status kind={kind}>{label}</Status>}
      {bot.dev && <Status kind="idle">{t('development')}</Status>}
    </>
  );
}

function statusOf(bot: Bot, endpoint: Endpoint | undefined): { kind: StatusKind; label: string | undefined } {
  if (bot.status === 'active' && endpoint && isUnhealthy(endpoint)) return endpointStatus(endpoint);
  if (failureOf(bot)) return { kind: 'bad', label: t('status_failed') };
  // Nothing is known about the endpoint while it loads.
  if (bot.status === 'active') return endpoint ? endpointStatus(endpoint) : { kind: 'idle', label: undefined };
  return { kind: KINDS[bot.status], label: t(`status_${bot.status}`) };
}

function Deployment({ bot }: { bot: Bot }) {
  const url = urlOf(bot);
  const settings = `/bots/${bot.id}/settings` as string;
  return (
    <Section
      title={t('deployment')}
      actions={
        <Anchor component={Link} size="sm" to={settings}>
          {t('manageSettings')}
        </Anchor>
      }
    >
      <Facts>
        <Fact name={t('runs')}>{t(url ? 'runsEndpoint' : bot.deployedAt ? 'runsCode' : 'runsNothing')}</Fact>
        {url && (
          <Fact name={t('endpoint')}>
            <Copyable value={url} label={t('copyEndpoint')} />
          </Fact>
        )}
        <Fact name={t('deployed')}>
          <When at={bot.deployedAt} />
        </Fact>
        {bot.maxExecutionTime !== undefined && (
          <Fact name={t('timeLimit')}>{t('seconds', { seconds: bot.maxExecutionTime })}</Fact>
        )}
      </Facts>
      {!url && !bot.deployedAt && (
        <Text size="sm" c="dimmed" component="p" m={0}>
          {t.rich('runsNothingAbout', {
            link: (
              <Anchor component={Link} size="sm" to={settings as string}>
                {t('setEndpoint')}
              </Anchor>
            ),
          })}
        </Text>
      )}
    </Section>
  );
}
