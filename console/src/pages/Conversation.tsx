import type { Client } from '@botpress/client';
import { Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useBotClient } from '../api/clients.ts';
import { useAction } from '../api/useAction.ts';
import { pageOf, useList } from '../api/useList.ts';
import { useSendAgain } from '../api/useSendAgain.ts';
import { Page } from '../parts/Page.tsx';
import { Payload } from '../parts/Payload.tsx';
import { SendAgain } from '../parts/SendAgain.tsx';
import { Confirm, Copyable, Status, Tags, When } from '../parts/Small.tsx';
import { Loaded, LoadedList } from '../parts/States.tsx';
import { useBotId, useConversationId } from '../shell/useRoute.ts';
import { LIVE_MS } from './Conversations.tsx';
import { EVENT_STATUS } from './eventStatus.ts';

type Message = Awaited<ReturnType<Client['listMessages']>>['messages'][number];
type Event = Awaited<ReturnType<Client['listEvents']>>['events'][number];

/** The most participants that are named; others appear by their ids. */
const MOST_PARTICIPANTS = 200;

export function Conversation() {
  const botId = useBotId();
  const id = useConversationId();
  const client = useBotClient(botId);
  const query = useQuery({
    queryKey: ['conversation', botId, id],
    queryFn: async () => (await client.getConversation({ id })).conversation,
    refetchInterval: LIVE_MS,
  });
  return (
    <Page title="Conversation" actions={<DeleteConversation botId={botId} id={id} />}>
      <Loaded query={query}>
        {conversation => (
          <Paper withBorder p="sm">
            <Stack gap="xs">
              <Copyable value={conversation.id} label="Copy the conversation's id" />
              <Text size="sm">
                {[conversation.integration, conversation.channel].filter(Boolean).join(', ')} · begun{' '}
                <When at={conversation.createdAt} /> · latest <When at={conversation.updatedAt} />
              </Text>
              <Tags tags={conversation.tags} />
              <Participants botId={botId} id={id} />
            </Stack>
          </Paper>
        )}
      </Loaded>
      <Messages botId={botId} id={id} />
    </Page>
  );
}

function useParticipants(botId: string, id: string) {
  const client = useBotClient(botId);
  return useQuery({
    queryKey: ['participants', botId, id],
    queryFn: () => client.list.participants({ id }).collect({ limit: MOST_PARTICIPANTS }),
    refetchInterval: 5 * LIVE_MS,
  });
}

function Participants({ botId, id }: { botId: string; id: string }) {
  const { data = [] } = useParticipants(botId, id);
  return (
    <Text size="sm">
      {data.length === 1 ? '1 participant' : `${data.length} participants`}
      {data.length > 0 && `: ${data.map(each => each.name || each.id).join(', ')}`}
    </Text>
  );
}

function Messages({ botId, id }: { botId: string; id: string }) {
  const client = useBotClient(botId);
  const list = useList(
    ['messages', botId, id],
    async nextToken => {
      const answer = await client.listMessages({ conversationId: id, ...(nextToken ? { nextToken } : {}) });
      return pageOf(answer.messages, answer);
    },
    { everyMs: LIVE_MS },
  );
  // What the bot was told of these messages.
  const { data: events = [] } = useQuery({
    queryKey: ['deliveries', botId, id, list.items.length],
    queryFn: () => client.list.events({ conversationId: id }).collect({ limit: Math.max(100, 2 * list.items.length) }),
    refetchInterval: LIVE_MS,
    placeholderData: before => before,
  });
  const { data: participants = [] } = useParticipants(botId, id);
  const deliveries = new Map(events.flatMap(event => (event.messageId ? [[event.messageId, event]] : [])));
  const names = new Map(participants.map(each => [each.id, each.name]));
  return (
    <LoadedList list={list} empty="Nothing has been said yet.">
      {messages => (
        <Stack gap="xs" role="log" aria-label="Messages">
          {messages.map(message => (
            <OneMessage
              key={message.id}
              botId={botId}
              message={message}
              from={message.userId === botId ? 'Bot' : names.get(message.userId) || message.userId}
              delivery={deliveries.get(message.id)}
            />
          ))}
        </Stack>
      )}
    </LoadedList>
  );
}

interface OneMessageProps {
  botId: string;
  message: Message;
  from: string;
  delivery: Event | undefined;
}

const OneMessage = ({ botId, message, from, delivery }: OneMessageProps) => (
  <Paper withBorder p="sm" data-message={message.id}>
    <Stack gap={6}>
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {from} · {message.direction === 'incoming' ? 'to the bot' : 'from the bot'} · <When at={message.createdAt} />
        </Text>
        {delivery && <Delivery botId={botId} delivery={delivery} />}
      </Group>
      <Payload type={message.type} payload={message.payload} />
      <Tags tags={message.tags} />
    </Stack>
  </Paper>
);

function Delivery({ botId, delivery }: { botId: string; delivery: Event }) {
  const again = useSendAgain(botId);
  const { kind, label } = EVENT_STATUS[delivery.status];
  return (
    <Group gap="xs">
      {delivery.failureReason && (
        <Text size="xs" maw={420} style={{ overflowWrap: 'anywhere' }}>
          {delivery.failureReason}
        </Text>
      )}
      <Status kind={kind}>{label}</Status>
      {delivery.status === 'failed' && <SendAgain again={again} since={delivery.createdAt} />}
    </Group>
  );
}

function DeleteConversation({ botId, id }: { botId: string; id: string }) {
  const client = useBotClient(botId);
  const navigate = useNavigate();
  const remove = useAction(() => client.deleteConversation({ id }), {
    done: 'The conversation is deleted.',
    onDone: () => void navigate({ to: `/bots/${botId}/conversations` as string }),
  });
  return (
    <Confirm
      label="Delete"
      title="Delete this conversation?"
      size="sm"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(undefined)}
    >
      Its messages are deleted with it, for everyone who takes part. This cannot be undone.
    </Confirm>
  );
}
