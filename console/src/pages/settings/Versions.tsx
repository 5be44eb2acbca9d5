/** Versions of the bot: deployments of code and named ones, with a rollback in one click. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import type { Output, Version } from '../../api/contract.ts';
import { useAction } from '../../api/useAction.ts';
import type { Bot } from '../../api/useBot.ts';
import { bots } from '../../messages/en/bots.ts';
import { translator } from '../../messages/translate.ts';
import { Confirm, Status, When } from '../../parts/Small.tsx';
import { Loaded } from '../../parts/States.tsx';
import { useTeam } from '../inbox/useTeam.ts';

const t = translator('bots', bots);

/** Versions that are shown at first. */
const FIRST = 5;

export function Versions({ bot }: { bot: Bot }) {
  const client = useAdminClient();
  const query = useQuery({
    queryKey: ['versions', bot.id, bot.deployedAt],
    queryFn: async () => (await client.listBotVersions({ id: bot.id })).versions as Version[],
    // Deployments come from a terminal, between two visits.
    staleTime: 0,
  });
  return (
    <Loaded query={query}>
      {versions => (
        <Stack gap="sm">
          <List bot={bot} versions={versions} />
          {(versions.length > 0 || bot.deployedAt !== undefined) && <Save bot={bot} />}
        </Stack>
      )}
    </Loaded>
  );
}

function List({ bot, versions }: { bot: Bot; versions: readonly Version[] }) {
  const [isWhole, setWhole] = useState(false);
  if (versions.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('noVersions')}
      </Text>
    );
  const shown = isWhole ? versions : versions.slice(0, FIRST);
  return (
    <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('versions')}>
      {shown.map(version => (
        <li key={version.id}>
          <Entry bot={bot} version={version} />
        </li>
      ))}
      {shown.length < versions.length && (
        <li>
          <Button size="xs" variant="subtle" onClick={() => setWhole(true)}>
            {t('moreVersions', { count: versions.length - shown.length })}
          </Button>
        </li>
      )}
    </Stack>
  );
}

function Entry({ bot, version }: { bot: Bot; version: Version }) {
  const client = useAdminClient();
  const { members } = useTeam();
  const author = members.find(({ userId }) => userId === version.createdBy)?.name;
  const deploy = useAction(
    async () => (await client.deployBotVersion({ id: bot.id, versionId: version.id })) as Output<'deployBotVersion'>,
    {
      done: ({ statusReason }) => (statusReason ? t('versionFailed', { reason: statusReason }) : t('versionDeployed')),
      changes: [
        ['bot', bot.id],
        ['versions', bot.id],
      ],
    },
  );
  const time = <When at={version.createdAt} />;
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div style={{ minWidth: 0 }}>
        <Group gap="xs">
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {version.automatic ? t('deployment') : <bdi>{version.name}</bdi>}
          </Text>
          {version.active && <Status kind="good">{t('activeVersion')}</Status>}
        </Group>
        {version.description && (
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{version.description}</bdi>
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {author ? t.rich('versionSavedBy', { time, name: <bdi>{author}</bdi> }) : time}
        </Text>
      </div>
      {!version.active && (
        <Confirm
          label={t('rollBack')}
          title={t('rollBackTitle')}
          isDanger={false}
          isBusy={deploy.isPending}
          onConfirm={() => deploy.mutate(undefined)}
        >
          {t('rollBackAbout')}
        </Confirm>
      )}
    </Group>
  );
}

function Save({ bot }: { bot: Bot }) {
  const client = useAdminClient();
  const [name, setName] = useState('');
  const save = useAction(() => client.createBotVersion({ id: bot.id, name: name.trim() }), {
    done: t('versionSaved'),
    changes: [['versions', bot.id]],
    onDone: () => setName(''),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs">
        <TextInput
          flex={1}
          miw={180}
          label={t('versionName')}
          placeholder={t('versionNameExample')}
          maxLength={200}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
          required
          withAsterisk={false}
        />
        <Button type="submit" variant="default" loading={save.isPending} disabled={name.trim() === ''}>
          {t('saveVersion')}
        </Button>
      </Group>
    </form>
  );
}
