import { Button, Group, Paper, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { Page } from '../../parts/Page.tsx';
import { Confirm, Copyable, Status, Tags, When } from '../../parts/Small.tsx';
import { Loaded } from '../../parts/States.tsx';
import { useBot } from '../../shell/Navigation.tsx';
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

export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Paper withBorder p="md" component="section">
    <Stack gap="sm">
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  </Paper>
);

function BotPage({ bot }: { bot: Bot }) {
  return (
    <Page title={bot.name || 'Bot'} about={bot.description} actions={<DeleteBot bot={bot} />}>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Section title="State">
          <State bot={bot} />
        </Section>
        <Section title="Address of its code">
          <Address bot={bot} />
        </Section>
      </SimpleGrid>
      <Section title="Integrations">
        <Installations bot={bot} />
      </Section>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Section title="Secrets">
          <Secrets bot={bot} />
        </Section>
        <Section title="Keys">
          <Keys botId={bot.id} />
        </Section>
      </SimpleGrid>
    </Page>
  );
}

const STATUS = {
  active: { kind: 'good', label: 'Active' },
  deploying: { kind: 'busy', label: 'Its code is being deployed' },
  deleting: { kind: 'bad', label: 'Being deleted' },
} as const;

function State({ bot }: { bot: Bot }) {
  const { kind, label } = STATUS[bot.status];
  const { statusReason } = moreOf(bot);
  return (
    <>
      <Group>
        <Status kind={statusReason ? 'bad' : kind}>{label}</Status>
        {bot.dev && <Status kind="idle">Under development (bp dev)</Status>}
      </Group>
      {statusReason && <Text size="sm">The latest code does not take calls: {statusReason}</Text>}
      <Copyable value={bot.id} label="Copy the bot's id" />
      <Text size="sm">
        Created <When at={bot.createdAt} />, changed <When at={bot.updatedAt} />
      </Text>
      <Text size="sm">
        Code deployed <When at={bot.deployedAt} />
      </Text>
      <Tags tags={bot.tags} />
    </>
  );
}

function Address({ bot }: { bot: Bot }) {
  const client = useAdminClient();
  const [url, setUrl] = useState(moreOf(bot).url ?? '');
  const changes = [['bot', bot.id]];
  const save = useAction(() => client.updateBot({ id: bot.id, url: url || null } as never), {
    done: 'The address is saved.',
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
            label="URL"
            description="Where events are sent. Empty: the platform runs the code that you deploy with bp deploy."
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
          label="New signing secret"
          title="Make a new signing secret?"
          isBusy={rotate.isPending}
          onConfirm={() => rotate.mutate(undefined)}
        >
          Events are signed with it. Signatures with the old one stay valid for a day, so change your code within it.
        </Confirm>
      </Group>
      {rotate.data && (
        <>
          <Text size="sm">The new signing secret. It is not shown again:</Text>
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
    done: 'The bot is being deleted.',
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
      Its conversations, files, tables and keys are deleted with it. This cannot be undone.
    </Confirm>
  );
}
