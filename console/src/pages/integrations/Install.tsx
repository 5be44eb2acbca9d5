/** Installs an integration of the hub. */
import { NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Bot } from '../../api/useBot.ts';
import { integrations } from '../../messages/en/integrations.ts';
import { translator } from '../../messages/translate.ts';
import { Fact, Facts } from '../../parts/Small.tsx';
import { Loaded } from '../../parts/States.tsx';
import { useUnsaved } from '../../parts/unsaved.ts';
import { ConfigurationForm } from './ConfigurationForm.tsx';
import { freeAlias, type Offer, useDefinition } from './hubOffers.ts';
import { LogLink } from './LogLink.tsx';

const t = translator('integrations', integrations);

interface InstallProps {
  bot: Bot;
  offer: Offer;
  onDone: (alias: string) => void;
}

export function Install({ bot, offer, onDone }: InstallProps) {
  const { name, title, description, isOwn, owner, versions } = offer;
  const [id, setId] = useState(versions[0]!.id);
  const [initial] = useState(() => freeAlias(name, Object.keys(bot.integrations)));
  const [alias, setAlias] = useState(initial);
  useUnsaved(alias !== initial || id !== versions[0]!.id);
  const query = useDefinition(id);
  const isTaken = Object.hasOwn(bot.integrations, alias);
  const fault = isTaken ? t('aliasTaken') : alias === '' ? t('aliasMissing') : undefined;
  return (
    <Stack gap="md">
      {description && <Text size="sm">{description}</Text>}
      <Facts>
        <Fact name={t('name')}>{name}</Fact>
        {owner && <Fact name={t('owner')}>{owner}</Fact>}
        {isOwn && (
          <Fact name={t('log')}>
            <LogLink botId={bot.id} integrationId={id} />
          </Fact>
        )}
        {versions.length === 1 && <Fact name={t('version')}>{versions[0]!.version}</Fact>}
      </Facts>
      <Loaded query={query}>
        {definition => (
          <ConfigurationForm
            bot={bot}
            definition={definition}
            alias={alias}
            isEnabled
            isBlocked={fault !== undefined}
            submitLabel={t('install')}
            done={t('wasInstalled', { name: title })}
            onDone={() => onDone(alias)}
          >
            <TextInput
              label={t('alias')}
              description={t('aliasAbout')}
              value={alias}
              error={fault}
              onChange={event => setAlias(event.currentTarget.value.trim())}
              withAsterisk
            />
            {versions.length > 1 && (
              <NativeSelect
                label={t('version')}
                data={versions.map((each, i) => ({
                  value: each.id,
                  label: i === 0 ? t('newest', { version: each.version }) : each.version,
                }))}
                value={id}
                onChange={event => setId(event.currentTarget.value)}
              />
            )}
          </ConfigurationForm>
        )}
      </Loaded>
    </Stack>
  );
}
