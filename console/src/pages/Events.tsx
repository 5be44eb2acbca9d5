import { Button, Table, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconBolt } from '@tabler/icons-react';
import { useState } from 'react';
import { useBotClient } from '../api/clients.ts';
import { LIVE_MS } from '../api/live.ts';
import { useAction } from '../api/useAction.ts';
import { pageOf, useList } from '../api/useList.ts';
import { useReplay } from '../api/useReplay.ts';
import { FilterSelect, FilterText } from '../parts/Fields.tsx';
import { Page, Toolbar } from '../parts/Page.tsx';
import { Retry } from '../parts/Retry.tsx';
import { ACTIONS, Confirm, Detail, Row, RowActions, RowButton, Rows, Status, When } from '../parts/Small.tsx';
import { Empty, LoadedList } from '../parts/States.tsx';
import { useBotId } from '../shell/useRoute.ts';
import { type Event, EventDetail } from './EventDetail.tsx';
import { EVENT_STATUS } from './eventStatus.ts';

const FILTERS = [
  { value: '', label: 'All statuses' },
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
  const replay = useReplay(botId);
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
      label="Retry all failed"
      title="Retry all failed events?"
      size="sm"
      isDanger={false}
      isBusy={replay.isPending}
      onConfirm={() => replay.mutate(undefined)}
    >
      Failed events are delivered again, oldest first. The bot may have processed some of them already.
    </Confirm>
  );
  return (
    <Page
      title="Events"
      about="Events delivered to the bot, newest first, with their delivery status."
      actions={replayAll}
    >
      <Toolbar>
        <FilterText label="Type" placeholder="Type, such as message_created" value={type} onChange={setType} />
        <FilterSelect label="Status" options={FILTERS} value={status} onChange={setStatus} />
      </Toolbar>
      <LoadedList
        list={list}
        empty={
          <Empty Icon={IconBolt} title={status || wantedType ? 'No match' : 'No events yet'}>
            {status || wantedType
              ? 'No event matches these filters.'
              : 'Messages, integrations and timers create events for the bot.'}
          </Empty>
        }
      >
        {events => (
          <Rows label="Events" heads={['Type', 'Status', 'Reason', 'Created', ACTIONS]}>
            {events.map(event => (
              <Row key={event.id}>
                <Table.Td>
                  <RowButton onClick={() => setOpen(event)}>{event.type}</RowButton>
                </Table.Td>
                <Table.Td>
                  <Status kind={EVENT_STATUS[event.status].kind}>{EVENT_STATUS[event.status].label}</Status>
                </Table.Td>
                <Table.Td>
                  <Text
                    size="sm"
                    maw={360}
                    lineClamp={2}
                    title={event.failureReason ?? undefined}
                    style={{ overflowWrap: 'anywhere' }}
                  >
                    {event.failureReason}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <When at={event.createdAt} isExact />
                </Table.Td>
                <RowActions>
                  {event.status === 'failed' && <Retry replay={replay} since={event.createdAt} />}
                  {event.status === 'scheduled' && <Cancel botId={botId} id={event.id} />}
                </RowActions>
              </Row>
            ))}
          </Rows>
        )}
      </LoadedList>
      <Detail of={open} title={open?.type} onClose={() => setOpen(undefined)}>
        {open => <EventDetail botId={botId} event={open} />}
      </Detail>
    </Page>
  );
}

function Cancel({ botId, id }: { botId: string; id: string }) {
  const client = useBotClient(botId);
  const cancel = useAction(() => client.cancelScheduledEvent({ id }), {
    done: 'The event was canceled.',
    changes: [['events', botId]],
  });
  return (
    <Button size="compact-xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
      Cancel
    </Button>
  );
}
