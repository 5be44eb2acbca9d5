import type { Client } from '@botpress/client';
import { Anchor, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Copyable } from '../parts/Copyable.tsx';
import { Fact, Facts, Json, Status, When } from '../parts/Small.tsx';
import { EVENT_STATUS } from './eventStatus.ts';

export type Event = Awaited<ReturnType<Client['listEvents']>>['events'][number];

export const EventDetail = ({ botId, event }: { botId: string; event: Event }) => (
  <Stack>
    <Facts>
      <Fact name="Id">
        <Copyable value={event.id} label="Copy the event's id" />
      </Fact>
      <Fact name="Type">{event.type}</Fact>
      <Fact name="Created">
        <When at={event.createdAt} isExact />
      </Fact>
      <Fact name="Status">
        <Status kind={EVENT_STATUS[event.status].kind}>{EVENT_STATUS[event.status].label}</Status>
      </Fact>
      {event.failureReason && <Fact name="Reason">{event.failureReason}</Fact>}
      {event.conversationId && (
        <Fact name="Conversation">
          <Anchor component={Link} size="sm" to={`/bots/${botId}/conversations/${event.conversationId}` as string}>
            {event.conversationId}
          </Anchor>
        </Fact>
      )}
    </Facts>
    <Json value={event.payload} label="Payload" />
  </Stack>
);
