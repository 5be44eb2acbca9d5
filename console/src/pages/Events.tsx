import type { Client } from '@botpress/client';
import { Anchor, Button, Group, NativeSelect, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useBotClient } from '../api/clients.ts';
import { useAction } from '../api/useAction.ts';
import { pageOf, useList } from '../api/useList.ts';
import { useSendAgain } from '../api/useSendAgain.ts';
import { Page } from '../parts/Page.tsx';
import { SendAgain } from '../parts/SendAgain.tsx';
import { Confirm, Copyable, Detail, Json, Rows, Status, When } from '../parts/Small.tsx';
import { LoadedList } from '../parts/States.tsx';
import { useBotId } from '../shell/useRoute.ts';
import { LIVE_MS } from './Conversations.tsx';
import { EVENT_STATUS } from './eventStatus.ts';

type Event = Awaited<ReturnType<Client['listEvents']>>['events'][number];

const FILTERS = [
  { value: '', label: 'All' },
  ...(['failed', 'pending', 'processed', 'ignored', 'scheduled'] as const).map(value => ({
    value,
    label: EVENT_STATUS[value].label,
  })),
];

export function Events() {
  const botId = useBotId();
  const client = useBotClient(botId);
  const [status, setStatus] = useState('');
  const [type, setType] = useState('');
  const [wantedType] = useDebouncedValue(type.trim(), 300);
  const [open, setOpen] = useState<Event>();
  const again = useSendAgain(botId);
  const list = useList(
    ['events', botId, status, wantedType],
    async nextToken => {
      const answer = await client.listEvents({
        ...(nextToken ? { nextToken } : {}),
        ...(status ? { status: status as 'failed' } : {}),
        ...(wantedType ? { type: wantedType } : {}),
      });
      return pageOf(answer.events, answer);
    },
    { everyMs: LIVE_MS },
  );
  const replayAll = (
    <Confirm
      label="Send all failed again"
      title="Send all failed events again?"
      size="sm"
      isBusy={again.isPending}
      onConfirm={() => again.mutate(undefined)}
    >
      Each that the bot did not take is delivered again, the oldest first. The bot may have seen some of them already.
    </Confirm>
  );
  return (
    <Page title="Events" about="What the bot was told, the newest first, and whether it took it." actions={replayAll}>
      <Group align="flex-end">
        <NativeSelect
          label="State"
          data={FILTERS}
          value={status}
          onChange={event => setStatus(event.currentTarget.value)}
        />
        <TextInput
          label="Type"
          placeholder="message_created"
          value={type}
          onChange={event => setType(event.currentTarget.value)}
        />
      </Group>
      <LoadedList list={list} empty={status || wantedType ? 'No event is like this.' : 'Nothing has happened yet.'}>
        {events => (
          <Rows label="Events" heads={['When', 'Type', 'State', 'Reason', 'What to do']}>
            {events.map(event => (
              <Table.Tr key={event.id}>
                <Table.Td>
                  <When at={event.createdAt} />
                </Table.Td>
                <Table.Td>{event.type}</Table.Td>
                <Table.Td>
                  <Status kind={EVENT_STATUS[event.status].kind}>{EVENT_STATUS[event.status].label}</Status>
                </Table.Td>
                <Table.Td>
                  <Text size="sm" maw={360} lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
                    {event.failureReason}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Group gap="xs" wrap="nowrap">
                    <Button size="compact-xs" variant="default" onClick={() => setOpen(event)}>
                      Show
                    </Button>
                    {event.status === 'failed' && <SendAgain again={again} since={event.createdAt} />}
                    {event.status === 'scheduled' && <Cancel botId={botId} id={event.id} />}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Rows>
        )}
      </LoadedList>
      <Detail of={open} title="Event" onClose={() => setOpen(undefined)}>
        {open => <EventDetail botId={botId} event={open} />}
      </Detail>
    </Page>
  );
}

function Cancel({ botId, id }: { botId: string; id: string }) {
  const client = useBotClient(botId);
  const cancel = useAction(() => client.cancelScheduledEvent({ id }), {
    done: 'It is cancelled.',
    changes: [['events', botId]],
  });
  return (
    <Button size="compact-xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
      Cancel
    </Button>
  );
}

const EventDetail = ({ botId, event }: { botId: string; event: Event }) => (
  <Stack gap="xs">
    <Copyable value={event.id} label="Copy the event's id" />
    <Text size="sm">
      {event.type}, <When at={event.createdAt} />
    </Text>
    {event.failureReason && <Text size="sm">{event.failureReason}</Text>}
    {event.conversationId && (
      <Anchor component={Link} size="sm" to={`/bots/${botId}/conversations/${event.conversationId}` as string}>
        Open its conversation
      </Anchor>
    )}
    <Json value={event.payload} label="What the bot was told" />
  </Stack>
);
