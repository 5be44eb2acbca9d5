import { Alert, Button, Group, NativeSelect, Paper, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { explain } from '../api/explain.ts';
import { type Talk, useTalk } from '../api/useTalk.ts';
import { Page } from '../parts/Page.tsx';
import { Payload } from '../parts/Payload.tsx';
import { Status } from '../parts/Small.tsx';
import { Empty, Failure, Loaded, Loading } from '../parts/States.tsx';
import { useBot } from '../shell/Navigation.tsx';
import { useBotId } from '../shell/useRoute.ts';

/** Talks to the bot as somebody outside would, through the chat API. */
export function Chat() {
  const botId = useBotId();
  const query = useBot(botId);
  return (
    <Page title="Try it" about="Talk to the bot as an end user would: by the public chat API, with a user of your own.">
      <Loaded query={query}>
        {bot => {
          const doors = Object.entries(bot.integrations)
            .filter(([, { enabled, name }]) => enabled && /(^|\/)(chat|webchat)$/.test(name))
            .map(([alias, { webhookId }]) => ({ value: webhookId, label: alias }));
          return doors.length === 0 ? (
            <Empty>
              The bot has no chat yet. <Link to={`/bots/${botId}` as string}>Install chat on its overview</Link>, then
              come back.
            </Empty>
          ) : (
            <ChatWith doors={doors} />
          );
        }}
      </Loaded>
    </Page>
  );
}

function ChatWith({ doors }: { doors: { value: string; label: string }[] }) {
  const [chosen, setChosen] = useState(doors[0]!.value);
  const [round, setRound] = useState(0);
  return (
    <Stack maw={720}>
      <Group align="flex-end">
        {doors.length > 1 && (
          <NativeSelect
            label="Installation"
            data={doors}
            value={chosen}
            onChange={event => setChosen(event.currentTarget.value)}
          />
        )}
        <Button variant="default" onClick={() => setRound(round + 1)}>
          New conversation
        </Button>
      </Group>
      <Conversation key={`${chosen} ${round}`} webhookId={chosen} isNew={round > 0} />
    </Stack>
  );
}

const CONNECTION = {
  connecting: { kind: 'busy', label: 'Connecting' },
  live: { kind: 'good', label: 'Live' },
  lost: { kind: 'bad', label: 'Connecting again' },
} as const;

function Conversation({ webhookId, isNew }: { webhookId: string; isNew: boolean }) {
  const talk = useTalk(webhookId, { isNew });
  if (talk.failure) {
    const isClosed = explain(talk.failure).type === 'Unauthorized';
    return (
      <Stack>
        <Failure error={talk.failure} retry={talk.retry} />
        {isClosed && (
          <Text size="sm">
            This installation has an encryption key of yours, so only users with a key that you sign can talk to the
            bot.
          </Text>
        )}
      </Stack>
    );
  }
  if (!talk.userId) return <Loading />;
  return <Talking talk={talk} />;
}

function Talking({ talk }: { talk: Talk }) {
  const [text, setText] = useState('');
  const viewport = useRef<HTMLDivElement>(null);
  const { messages, userId, connection, sendFault } = talk;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when a message comes
  useEffect(() => {
    viewport.current?.scrollTo({ top: viewport.current.scrollHeight });
  }, [messages.length]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    talk.say(text);
    setText('');
  };
  const { kind, label } = CONNECTION[connection];
  return (
    <Paper withBorder p="sm">
      <Stack>
        <Group justify="space-between">
          <Status kind={kind}>{label}</Status>
          {talk.conversationId && (
            <Text size="xs" c="dimmed">
              {talk.conversationId}
            </Text>
          )}
        </Group>
        <ScrollArea
          h={380}
          viewportRef={viewport}
          viewportProps={{ tabIndex: 0, 'aria-label': 'Messages', role: 'log' }}
        >
          <Stack gap="xs" p={4}>
            {messages.length === 0 && <Empty>Say something to begin.</Empty>}
            {messages.map(message => (
              <Paper
                key={message.id}
                withBorder
                p="xs"
                maw="85%"
                style={{ alignSelf: message.userId === userId ? 'flex-end' : 'flex-start' }}
                data-from={message.userId === userId ? 'you' : 'bot'}
              >
                <Text size="xs" c="dimmed">
                  {message.userId === userId ? 'You' : 'Bot'}
                </Text>
                <Payload type={message.payload.type} payload={message.payload} onChoose={talk.say} />
              </Paper>
            ))}
          </Stack>
        </ScrollArea>
        {sendFault !== undefined && (
          <Alert variant="default" role="alert" title="The message was not sent">
            {explain(sendFault).message}
          </Alert>
        )}
        <form onSubmit={submit}>
          <Group wrap="nowrap" align="flex-end">
            <TextInput
              flex={1}
              label="Message"
              value={text}
              onChange={event => setText(event.currentTarget.value)}
              autoComplete="off"
            />
            <Button type="submit" loading={talk.isSending}>
              Send
            </Button>
          </Group>
        </form>
      </Stack>
    </Paper>
  );
}
