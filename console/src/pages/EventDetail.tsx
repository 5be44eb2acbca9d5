import type { Client } from '@botpress/client';
import { Anchor, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { activity } from '../messages/en/activity.ts';
import { translator } from '../messages/translate.ts';
import { useIsAgent } from '../navigation/usePages.ts';
import { Copyable } from '../parts/Copyable.tsx';
import { Fact, Facts, Json, Status, When } from '../parts/Small.tsx';
import { eventStatus } from './eventStatus.ts';

const t = translator('activity', activity);

export type Event = Awaited<ReturnType<Client['listEvents']>>['events'][number];

export function EventDetail({ botId, event }: { botId: string; event: Event }) {
  const isAgent = useIsAgent();
  return (
    <Stack>
      <Facts>
        <Fact name={t('id')}>
          <Copyable value={event.id} label={t('copyEvent')} />
        </Fact>
        <Fact name={t('type')}>{event.type}</Fact>
        <Fact name={t('created')}>
          <When at={event.createdAt} isExact />
        </Fact>
        <Fact name={t('status')}>
          <Status kind={eventStatus(event.status).kind}>{eventStatus(event.status).label}</Status>
        </Fact>
        {event.failureReason && <Fact name={t('reason')}>{event.failureReason}</Fact>}
        {event.conversationId && (
          <Fact name={t('conversation')}>
            <Anchor
              component={Link}
              size="sm"
              to={
                (isAgent
                  ? `/inbox/${botId}/${event.conversationId}`
                  : `/bots/${botId}/conversations/${event.conversationId}`) as string
              }
            >
              {event.conversationId}
            </Anchor>
          </Fact>
        )}
      </Facts>
      <Json value={event.payload} label={t('payload')} />
    </Stack>
  );
}
