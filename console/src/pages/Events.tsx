import { Button, Table, Text } from '@mantine/core';
import { useBotClient } from '../api/clients.ts';
import { useLive } from '../api/live/useLive.ts';
import { useAction } from '../api/useAction.ts';
import { pageOf, useList } from '../api/useList.ts';
import { useReplay } from '../api/useReplay.ts';
import { IconBolt } from '../icons/tabler.ts';
import { activity } from '../messages/en/activity.ts';
import { translator } from '../messages/translate.ts';
import { useAddressChoice, useAddressText } from '../navigation/useAddress.ts';
import { useOpenRow } from '../navigation/useOpenRow.ts';
import { useBotId } from '../navigation/useRoute.ts';
import { FilterSelect, FilterText } from '../parts/Fields.tsx';
import { RowDetail } from '../parts/FormDialog.tsx';
import { Page, Toolbar } from '../parts/Page.tsx';
import { Retry } from '../parts/Retry.tsx';
import { ACTIONS, Confirm, Row, RowActions, RowButton, Rows, Status, When } from '../parts/Small.tsx';
import { Empty, LoadedList } from '../parts/States.tsx';
import { type Event, EventDetail } from './EventDetail.tsx';
import { eventStatus } from './eventStatus.ts';

const t = translator('activity', activity);

const STATUSES = ['', 'failed', 'pending', 'processed', 'ignored', 'scheduled'] as const;
const filters = () => STATUSES.map(value => ({ value, label: value ? eventStatus(value).label : t('allStatuses') }));

export function Events() {
  const botId = useBotId();
  const client = useBotClient(botId);
  const [status, setStatus] = useAddressChoice('status', STATUSES);
  const { text: type, setText: setType, wanted: wantedType } = useAddressText('type');
  const replay = useReplay(botId);
  const list = useList(
    ['events', botId, status, wantedType],
    async nextToken => {
      const answer = await client.listEvents({
        ...(nextToken ? { nextToken } : {}),
        ...(status ? { status } : {}),
        ...(wantedType ? { type: wantedType } : {}),
      });
      return pageOf(answer.events, answer);
    },
    { live: useLive(botId) },
  );
  const row = useOpenRow<Event>({
    key: ['events', botId],
    rows: list.items,
    idOf: ({ id }) => id,
    read: async id => (await client.getEvent({ id })).event,
  });
  const replayAll = (
    <Confirm
      label={t('retryAll')}
      title={t('retryAllTitle')}
      size="sm"
      isDanger={false}
      isBusy={replay.isPending}
      onConfirm={() => replay.mutate(undefined)}
    >
      {t('retryAllAbout')}
    </Confirm>
  );
  const heads = [t('type'), t('status'), t('reason'), t('created'), ACTIONS];
  return (
    <Page title={t('events')} about={t('eventsAbout')} actions={replayAll}>
      <Toolbar>
        <FilterText label={t('type')} placeholder={t('typePlaceholder')} value={type} onChange={setType} width={260} />
        <FilterSelect label={t('status')} options={filters()} value={status} onChange={setStatus} />
      </Toolbar>
      <LoadedList
        list={list}
        heads={heads}
        empty={
          <Empty Icon={IconBolt} title={t(status || wantedType ? 'noMatch' : 'noEvents')}>
            {t(status || wantedType ? 'noEventMatches' : 'noEventsAbout')}
          </Empty>
        }
      >
        {events => (
          <Rows label={t('events')} heads={heads}>
            {events.map(event => (
              <Row key={event.id}>
                <Table.Td>
                  <RowButton onClick={() => row.open(event)}>{event.type}</RowButton>
                </Table.Td>
                <Table.Td>
                  <Status kind={eventStatus(event.status).kind}>{eventStatus(event.status).label}</Status>
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
      <RowDetail row={row} title={({ type }) => type}>
        {event => <EventDetail botId={botId} event={event} />}
      </RowDetail>
    </Page>
  );
}

function Cancel({ botId, id }: { botId: string; id: string }) {
  const client = useBotClient(botId);
  const cancel = useAction(() => client.cancelScheduledEvent({ id }), {
    done: t('eventCanceled'),
    changes: [['events', botId]],
  });
  return (
    <Button size="compact-xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
      {t('cancel')}
    </Button>
  );
}
