/** An installed integration: its status, configuration, upgrade and removal. */
import { Alert, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import type { Endpoint } from '../../api/contract.ts';
import { useAction } from '../../api/useAction.ts';
import type { Bot, Installation } from '../../api/useBot.ts';
import { IconAlertCircle, IconArrowUp } from '../../icons/tabler.ts';
import { integrations } from '../../messages/en/integrations.ts';
import { translator } from '../../messages/translate.ts';
import { Copyable } from '../../parts/Copyable.tsx';
import { EndpointAlert } from '../../parts/EndpointAlert.tsx';
import { SectionHeading } from '../../parts/Section.tsx';
import { Confirm, Fact, Facts, Status, When } from '../../parts/Small.tsx';
import { Loaded } from '../../parts/States.tsx';
import { ConfigurationForm } from './ConfigurationForm.tsx';
import { Connect } from './Connect.tsx';
import { isChatName } from './chatFields.ts';
import { configurationTypesOf } from './configurations.ts';
import { Embed } from './Embed.tsx';
import { type Offer, upgradeOf, useDefinition } from './hubOffers.ts';
import { installationStatus, missingConfigurationOf, statusReasonOf } from './installationStatus.ts';
import { LogLink } from './LogLink.tsx';

const t = translator('integrations', integrations);

interface InstallationProps {
  bot: Bot;
  alias: string;
  installation: Installation;
}

interface InstallationDetailProps extends InstallationProps {
  /** Undefined if the integration is no longer listed. */
  offer: Offer | undefined;
  /** Undefined for chats and while it loads. */
  endpoint: Endpoint | undefined;
}

export function InstallationDetail({ bot, alias, installation, offer, endpoint }: InstallationDetailProps) {
  const { kind, label } = installationStatus(installation, endpoint);
  const reason = statusReasonOf(installation);
  const [version, setVersion] = useState(installation.id);
  const upgrade = upgradeOf(offer, version);
  return (
    <Stack gap="lg">
      {reason && (
        <Alert variant="light" color="red" icon={<IconAlertCircle />} title={label} role="alert">
          <Text size="sm" c="var(--mantine-color-text)" style={{ overflowWrap: 'anywhere' }}>
            {reason}
          </Text>
        </Alert>
      )}
      <EndpointAlert botId={bot.id} endpoint={endpoint} />
      <Facts>
        <Fact name={t('status')}>
          <Status kind={kind}>{label}</Status>
        </Fact>
        <Fact name={t('alias')}>{alias}</Fact>
        <Fact name={t('version')}>
          <bdi>{installation.name}</bdi> <bdi>{installation.version}</bdi>
        </Fact>
        {installation.identifier && <Fact name={t('identifier')}>{installation.identifier}</Fact>}
        <Fact name={t('changed')}>
          <When at={installation.updatedAt} />
        </Fact>
        {installation.webhookUrl && (
          <Fact name={t('webhookUrl')}>
            <Copyable value={installation.webhookUrl} label={t('copyWebhook', { name: alias })} />
          </Fact>
        )}
        {offer?.isOwn && (
          <Fact name={t('log')}>
            <LogLink botId={bot.id} integrationId={installation.id} />
          </Fact>
        )}
      </Facts>
      {upgrade && (
        <Alert
          variant="light"
          color="brand"
          icon={<IconArrowUp />}
          title={t('upgradeTitle', { version: upgrade.version })}
        >
          <Group justify="space-between">
            <Text size="sm" flex={1} miw={200}>
              {t('upgradeAbout')}
            </Text>
            <Button size="xs" variant="default" onClick={() => setVersion(upgrade.id)}>
              {t('upgrade')}
            </Button>
          </Group>
        </Alert>
      )}
      <Configuration
        key={version}
        bot={bot}
        alias={alias}
        installation={installation}
        offer={offer}
        version={version}
        onVersion={setVersion}
      />
      {installation.enabled && isChatName(installation.name) && (
        <Part title={t('embed')}>
          <Embed botId={bot.id} chat={installation} />
        </Part>
      )}
      <Part title={t('manage')} about={t('manageAbout')}>
        <Manage bot={bot} alias={alias} installation={installation} />
      </Part>
    </Stack>
  );
}

const Part = ({ title, about, children }: { title: string; about?: string; children: ReactNode }) => (
  <section aria-label={title}>
    <Stack gap="sm">
      <SectionHeading title={title} about={about} order={3} />
      {children}
    </Stack>
  </section>
);

interface ConfigurationProps extends Omit<InstallationDetailProps, 'endpoint'> {
  /** Id of the integration to save, which may be another version. */
  version: string;
  onVersion: (id: string) => void;
}

function Configuration({ bot, alias, installation, offer, version, onVersion }: ConfigurationProps) {
  const query = useDefinition(version);
  const versions = offer?.versions ?? [];
  return (
    <Loaded query={query}>
      {definition => {
        const type = configurationTypesOf(definition).find(
          each => each.type === (installation.configurationType ?? null),
        );
        return (
          <>
            {type?.linkTemplate && version === installation.id && installation.enabled && (
              <Part title={t('connect')} about={t('connectAbout')}>
                <Connect botId={bot.id} alias={alias} integrationId={installation.id} template={type.linkTemplate} />
              </Part>
            )}
            <Part title={t('configuration')}>
              <ConfigurationForm
                bot={bot}
                definition={definition}
                alias={alias}
                isEnabled={installation.enabled}
                stored={{
                  type: installation.configurationType ?? null,
                  value: installation.configuration,
                  isIncomplete: missingConfigurationOf(installation) !== undefined,
                }}
                submitLabel={t(version === installation.id ? 'save' : 'upgrade')}
                done={t('saved')}
              >
                {versions.length > 1 && (
                  <NativeSelect
                    label={t('version')}
                    data={versions.map(each => ({
                      value: each.id,
                      label:
                        each.id === installation.id ? t('installedVersion', { version: each.version }) : each.version,
                    }))}
                    value={version}
                    onChange={event => onVersion(event.currentTarget.value)}
                  />
                )}
              </ConfigurationForm>
            </Part>
          </>
        );
      }}
    </Loaded>
  );
}

function Manage({ bot, alias, installation: { enabled, id } }: InstallationProps) {
  const client = useAdminClient();
  const update = useAction(
    (integrations: Record<string, { integrationId: string; enabled: boolean } | null>) =>
      client.updateBot({ id: bot.id, integrations }),
    { done: t('saved'), changes: [['bot', bot.id]] },
  );
  return (
    <Group gap="xs">
      <Button
        size="xs"
        variant="default"
        loading={update.isPending}
        onClick={() => update.mutate({ [alias]: { integrationId: id, enabled: !enabled } })}
      >
        {t(enabled ? 'disable' : 'enable')}
      </Button>
      <Confirm
        label={t('uninstall')}
        title={t('uninstallTitle', { name: alias })}
        onConfirm={() => update.mutate({ [alias]: null })}
      >
        {t('uninstallAbout')}
      </Confirm>
    </Group>
  );
}
