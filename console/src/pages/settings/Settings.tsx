/** Settings of a bot: name, configuration, endpoint, secrets, keys and deletion. */
import { Button, Group, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { type Bot, urlOf, useBot } from '../../api/useBot.ts';
import { bots } from '../../messages/en/bots.ts';
import { translator } from '../../messages/translate.ts';
import { useBotId } from '../../navigation/useRoute.ts';
import { Copyable } from '../../parts/Copyable.tsx';
import { Page } from '../../parts/Page.tsx';
import { Section } from '../../parts/Section.tsx';
import { Confirm } from '../../parts/Small.tsx';
import { Loaded } from '../../parts/States.tsx';
import { BotGeneral } from './BotGeneral.tsx';
import { Configuration } from './Configuration.tsx';
import { Keys } from './Keys.tsx';
import { Secrets } from './Secrets.tsx';
import { Versions } from './Versions.tsx';

const t = translator('bots', bots);

export function Settings() {
  const query = useBot(useBotId());
  return (
    <Page title={t('settings')} about={t('settingsAbout')}>
      <Loaded query={query}>{bot => <OfBot key={bot.id} bot={bot} />}</Loaded>
    </Page>
  );
}

const OfBot = ({ bot }: { bot: Bot }) => (
  <>
    <Section title={t('general')}>
      <BotGeneral bot={bot} />
    </Section>
    <Section title={t('endpoint')} about={t('endpointAbout')}>
      <Endpoint bot={bot} />
    </Section>
    <Section title={t('versions')} about={t('versionsAbout')}>
      <Versions bot={bot} />
    </Section>
    <Section title={t('configuration')} about={t('configurationAbout')}>
      <Configuration bot={bot} />
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
  </>
);

function Endpoint({ bot }: { bot: Bot }) {
  const client = useAdminClient();
  const [url, setUrl] = useState(urlOf(bot) ?? '');
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
