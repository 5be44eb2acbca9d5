import { Alert, Anchor, Button, Group, SimpleGrid, Text, TextInput } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { type Bot, useBot } from '../../api/useBot.ts';
import { bots } from '../../messages/en/bots.ts';
import { translator } from '../../messages/translate.ts';
import { useBotId } from '../../navigation/useRoute.ts';
import { Copyable } from '../../parts/Copyable.tsx';
import { Page } from '../../parts/Page.tsx';
import { Section } from '../../parts/Section.tsx';
import { Confirm, Fact, Facts, Status, Tags, When } from '../../parts/Small.tsx';
import { Loaded } from '../../parts/States.tsx';
import { Installations } from './Installations.tsx';
import { Keys } from './Keys.tsx';
import { Secrets } from './Secrets.tsx';

const t = translator('bots', bots);

/** `statusReason` and `url` are not in the client's type. */
const moreOf = (bot: Bot) => bot as Bot & { statusReason?: string; url?: string };

export function Overview() {
  const query = useBot(useBotId());
  return <Loaded query={query}>{bot => <BotPage key={bot.id} bot={bot} />}</Loaded>;
}

const KINDS = { active: 'good', deploying: 'busy', deleting: 'bad' } as const;

function BotPage({ bot }: { bot: Bot }) {
  const { statusReason } = moreOf(bot);
  return (
    <Page
      title={bot.name || t('bot')}
      badge={
        <>
          <Status kind={statusReason ? 'bad' : KINDS[bot.status]}>{t(`status_${bot.status}`)}</Status>
          {bot.dev && <Status kind="idle">{t('development')}</Status>}
        </>
      }
      about={bot.description}
    >
      {statusReason && (
        <Alert variant="light" color="red" icon={<IconAlertCircle />} title={t('notStarted')} role="alert">
          <Text size="sm" c="var(--mantine-color-text)" style={{ overflowWrap: 'anywhere' }}>
            {statusReason}
          </Text>
        </Alert>
      )}
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
            <Fact name={t('deployed')}>
              <When at={bot.deployedAt} />
            </Fact>
            {Object.keys(bot.tags).length > 0 && (
              <Fact name={t('tags')}>
                <Tags tags={bot.tags} />
              </Fact>
            )}
          </Facts>
        </Section>
        <Section title={t('endpoint')} about={t('endpointAbout')}>
          <Endpoint bot={bot} />
        </Section>
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
        <Installations bot={bot} />
      </Section>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Section title={t('secrets')} about={t('secretsAbout')}>
          <Secrets bot={bot} />
        </Section>
        <Section title={t('keys')} about={t('keysAbout')}>
          <Keys botId={bot.id} />
        </Section>
      </SimpleGrid>
      <Section title={t('deleteThis')} about={t('deleteThisAbout')} actions={<DeleteBot bot={bot} />}>
        {null}
      </Section>
    </Page>
  );
}

function Endpoint({ bot }: { bot: Bot }) {
  const client = useAdminClient();
  const [url, setUrl] = useState(moreOf(bot).url ?? '');
  const changes = [['bot', bot.id]];
  const save = useAction(() => client.updateBot({ id: bot.id, url: url || null }), {
    done: t('endpointSaved'),
    changes,
  });
  const rotate = useAction(() => client.rotateBotSigningSecrets({ id: bot.id }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            flex={1}
            label={t('endpointUrl')}
            placeholder="https://"
            type="url"
            value={url}
            onChange={event => setUrl(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={save.isPending}>
            {t('save')}
          </Button>
        </Group>
      </form>
      <Group>
        <Confirm
          label={t('rotate')}
          title={t('rotateTitle')}
          isDanger={false}
          isBusy={rotate.isPending}
          onConfirm={() => rotate.mutate(undefined)}
        >
          {t('rotateAbout')}
        </Confirm>
      </Group>
      {rotate.data && (
        <>
          <Text size="sm">{t('copyNewSecret')}</Text>
          <Copyable value={rotate.data.newSigningSecret} label={t('copySecret')} />
        </>
      )}
    </>
  );
}

function DeleteBot({ bot }: { bot: Bot }) {
  const client = useAdminClient();
  const navigate = useNavigate();
  const remove = useAction(() => client.deleteBot({ id: bot.id }), {
    done: t('deleted'),
    changes: [['bots']],
    onDone: () => void navigate({ to: '/' }),
  });
  return (
    <Confirm
      label={t('deleteBot')}
      title={t('deleteTitle', { name: bot.name })}
      size="sm"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(undefined)}
    >
      {t('deleteAbout')}
    </Confirm>
  );
}
