import { Alert, Button, Group, SimpleGrid, Text, TextInput } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { Copyable } from '../../parts/Copyable.tsx';
import { Page } from '../../parts/Page.tsx';
import { Section } from '../../parts/Section.tsx';
import { Confirm, Fact, Facts, Status, Tags, When } from '../../parts/Small.tsx';
import { Loaded } from '../../parts/States.tsx';
import { useBot } from '../../shell/useBot.ts';
import { useBotId } from '../../shell/useRoute.ts';
import { Installations } from './Installations.tsx';
import { Keys } from './Keys.tsx';
import { Secrets } from './Secrets.tsx';

export type Bot = NonNullable<ReturnType<typeof useBot>['data']>;
/** `statusReason` and `url` are not in the client's type. */
export const moreOf = (bot: Bot) => bot as Bot & { statusReason?: string; url?: string };

export function Overview() {
  const query = useBot(useBotId());
  return <Loaded query={query}>{bot => <BotPage key={bot.id} bot={bot} />}</Loaded>;
}

const STATUS = {
  active: { kind: 'good', label: 'Active' },
  deploying: { kind: 'busy', label: 'Deploying' },
  deleting: { kind: 'bad', label: 'Deleting' },
} as const;

function BotPage({ bot }: { bot: Bot }) {
  const { kind, label } = STATUS[bot.status];
  const { statusReason } = moreOf(bot);
  return (
    <Page
      title={bot.name || 'Bot'}
      badge={
        <>
          <Status kind={statusReason ? 'bad' : kind}>{label}</Status>
          {bot.dev && <Status kind="idle">Development (bp dev)</Status>}
        </>
      }
      about={bot.description}
    >
      {statusReason && (
        <Alert
          variant="light"
          color="red"
          icon={<IconAlertCircle />}
          title="The latest code could not start"
          role="alert"
        >
          <Text size="sm" c="var(--mantine-color-text)" style={{ overflowWrap: 'anywhere' }}>
            {statusReason}
          </Text>
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Section title="Details">
          <Facts>
            <Fact name="Bot id">
              <Copyable value={bot.id} label="Copy the bot's id" />
            </Fact>
            <Fact name="Created">
              <When at={bot.createdAt} />
            </Fact>
            <Fact name="Changed">
              <When at={bot.updatedAt} />
            </Fact>
            <Fact name="Deployed">
              <When at={bot.deployedAt} />
            </Fact>
            {Object.keys(bot.tags).length > 0 && (
              <Fact name="Tags">
                <Tags tags={bot.tags} />
              </Fact>
            )}
          </Facts>
        </Section>
        <Section
          title="Endpoint"
          about="Receives the bot's events. Leave it empty for code that you deploy with bp deploy."
        >
          <Endpoint bot={bot} />
        </Section>
      </SimpleGrid>
      <Section title="Integrations" about="Channels and services that the bot is connected to.">
        <Installations bot={bot} />
      </Section>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Section title="Secrets" about="Values that the code of the bot reads. They are never shown again.">
          <Secrets bot={bot} />
        </Section>
        <Section title="API keys" about="Keys with which the code of the bot calls the API.">
          <Keys botId={bot.id} />
        </Section>
      </SimpleGrid>
      <Section
        title="Delete this bot"
        about="Also deletes its conversations, files, tables and keys."
        actions={<DeleteBot bot={bot} />}
      >
        {null}
      </Section>
    </Page>
  );
}

function Endpoint({ bot }: { bot: Bot }) {
  const client = useAdminClient();
  const [url, setUrl] = useState(moreOf(bot).url ?? '');
  const changes = [['bot', bot.id]];
  const save = useAction(() => client.updateBot({ id: bot.id, url: url || null } as never), {
    done: 'The endpoint was saved.',
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
            label="Endpoint URL"
            placeholder="https://"
            type="url"
            value={url}
            onChange={event => setUrl(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </form>
      <Group>
        <Confirm
          label="Rotate signing secret"
          title="Rotate the signing secret?"
          isDanger={false}
          isBusy={rotate.isPending}
          onConfirm={() => rotate.mutate(undefined)}
        >
          Requests to the endpoint are signed with it. The old secret stays valid for one day.
        </Confirm>
      </Group>
      {rotate.data && (
        <>
          <Text size="sm">Copy the new signing secret now. It is not shown again.</Text>
          <Copyable value={rotate.data.newSigningSecret} label="Copy the signing secret" />
        </>
      )}
    </>
  );
}

function DeleteBot({ bot }: { bot: Bot }) {
  const client = useAdminClient();
  const navigate = useNavigate();
  const remove = useAction(() => client.deleteBot({ id: bot.id }), {
    done: 'The bot was deleted.',
    changes: [['bots']],
    onDone: () => void navigate({ to: '/' }),
  });
  return (
    <Confirm
      label="Delete bot"
      title={`Delete ${bot.name}?`}
      size="sm"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(undefined)}
    >
      This also deletes its conversations, files, tables and keys. It cannot be undone.
    </Confirm>
  );
}
