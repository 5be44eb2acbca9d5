/** Side panel: details, participants, tags, events and workflows of a conversation. */
import { Anchor, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useBotClient } from '../../api/clients.ts';
import { useLive } from '../../api/live/useLive.ts';
import { useAction } from '../../api/useAction.ts';
import { useHandoffsOf } from '../../api/useHandoffsOf.ts';
import { isolate } from '../../messages/bidi.ts';
import { conversation as texts } from '../../messages/en/conversation.ts';
import { locale } from '../../messages/language.ts';
import { translator } from '../../messages/translate.ts';
import { Copyable } from '../../parts/Copyable.tsx';
import { Detail } from '../../parts/FormDialog.tsx';
import { Monogram } from '../../parts/Monogram.tsx';
import { personName } from '../../parts/personName.ts';
import { Confirm, Fact, Facts, RowButton, Status, Tags, When } from '../../parts/Small.tsx';
import { type Event, EventDetail } from '../EventDetail.tsx';
import { eventStatus } from '../eventStatus.ts';
import { AllStates, OwnerStates } from '../OwnerStates.tsx';
import { workflowStatus } from '../workflowStatus.ts';
import classes from './Conversations.module.css';
import { Rating } from './Rating.tsx';
import { useConversationEvents } from './useConversationEvents.ts';
import type { Conversation, Participant } from './useConversations.ts';

const t = translator('conversation', texts);

/** Number of events and workflows in the panel. Separate pages list all of them. */
const LATEST = 10;

interface DetailsProps {
  botId: string;
  conversation: Conversation;
  participants: Participant[];
}

export function Details({ botId, conversation, participants }: DetailsProps) {
  const { id, integration, channel, createdAt, updatedAt, messageCount, tags } = conversation;
  const { rating } = useHandoffsOf(botId, id).items.find(each => each.rating !== undefined) ?? {};
  return (
    <>
      <Section title={t('about')}>
        <Facts>
          <Fact name={t('id')}>
            <Copyable value={id} label={t('copyId')} />
          </Fact>
          <Fact name={t('channel')}>{[integration, channel].filter(Boolean).map(isolate).join(' / ')}</Fact>
          <Fact name={t('started')}>
            <When at={createdAt} />
          </Fact>
          <Fact name={t('lastActivity')}>
            <When at={updatedAt} />
          </Fact>
          {messageCount !== undefined && <Fact name={t('messageCount')}>{messageCount.toLocaleString(locale)}</Fact>}
        </Facts>
      </Section>
      <Section title={t('participants')}>
        {participants.map(({ id: userId, name }) => (
          <div key={userId} className={classes.person}>
            <Monogram name={personName({ name, id: userId })} id={userId} size={22} />
            <Anchor component={Link} size="sm" to={`/bots/${botId}/users` as string} search={{ open: userId } as never}>
              {userId === botId ? t('bot') : personName({ name, id: userId })}
            </Anchor>
          </div>
        ))}
        {participants.length === 0 && <Nothing>{t('noParticipants')}</Nothing>}
      </Section>
      {rating && (
        <Section title={t('rating')}>
          <Rating rating={rating} />
        </Section>
      )}
      {Object.keys(tags).length > 0 && (
        <Section title={t('tags')}>
          <Tags tags={tags} />
        </Section>
      )}
      <Events botId={botId} id={id} />
      <Workflows botId={botId} id={id} />
      <Section title={t('states')} action={<AllStates botId={botId} type="conversation" ownerId={id} />}>
        <OwnerStates botId={botId} type="conversation" ownerId={id} />
      </Section>
      <div className={classes.section}>
        <DeleteConversation botId={botId} id={id} />
      </div>
    </>
  );
}

export const Section = ({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) => (
  <section className={classes.section} aria-label={title}>
    <Group justify="space-between" mb={6}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {action}
    </Group>
    {children}
  </section>
);

export const Nothing = ({ children }: { children: string }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
);

/** @param hasPage shows a link to the page of all of them */
export function Events({ botId, id, hasPage = true }: { botId: string; id: string; hasPage?: boolean }) {
  const [open, setOpen] = useState<Event>();
  const { data } = useConversationEvents(botId, id);
  return (
    <Section
      title={t('events')}
      action={
        hasPage && (
          <Anchor component={Link} size="xs" to={`/bots/${botId}/events` as string}>
            {t('allEvents')}
          </Anchor>
        )
      }
    >
      <Stack gap={6}>
        {data?.slice(0, LATEST).map(event => (
          <Group key={event.id} gap={8} wrap="nowrap" justify="space-between" style={{ position: 'relative' }}>
            <Stack gap={0} miw={0}>
              <RowButton onClick={() => setOpen(event)}>{event.type}</RowButton>
              <Text size="xs" c="dimmed">
                <When at={event.createdAt} isExact />
              </Text>
            </Stack>
            <Status kind={eventStatus(event.status).kind}>{eventStatus(event.status).label}</Status>
          </Group>
        ))}
        {!data && <Skeleton height={14} width="70%" />}
        {data?.length === 0 && <Nothing>{t('noEvents')}</Nothing>}
      </Stack>
      <Detail of={open} title={open?.type} onClose={() => setOpen(undefined)}>
        {event => <EventDetail botId={botId} event={event} />}
      </Detail>
    </Section>
  );
}

/** @param hasPage shows a link to the page of all of them */
export function Workflows({ botId, id, hasPage = true }: { botId: string; id: string; hasPage?: boolean }) {
  const client = useBotClient(botId);
  const { data } = useQuery({
    queryKey: ['workflows', botId, 'of', id],
    queryFn: async () => (await client.listWorkflows({ conversationId: id })).workflows.slice(0, LATEST),
    ...useLive(botId),
  });
  return (
    <Section
      title={t('workflows')}
      action={
        hasPage && (
          <Anchor component={Link} size="xs" to={`/bots/${botId}/workflows` as string}>
            {t('allWorkflows')}
          </Anchor>
        )
      }
    >
      <Stack gap={6}>
        {data?.map(({ id: workflowId, name, status, createdAt }) => (
          <Group key={workflowId} gap={8} wrap="nowrap" justify="space-between">
            <Stack gap={0} miw={0}>
              <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Text>
              <Text size="xs" c="dimmed">
                <When at={createdAt} />
              </Text>
            </Stack>
            <Status kind={workflowStatus(status).kind}>{workflowStatus(status).label}</Status>
          </Group>
        ))}
        {!data && <Skeleton height={14} width="70%" />}
        {data?.length === 0 && <Nothing>{t('noWorkflows')}</Nothing>}
      </Stack>
    </Section>
  );
}

function DeleteConversation({ botId, id }: { botId: string; id: string }) {
  const client = useBotClient(botId);
  const navigate = useNavigate();
  const remove = useAction(() => client.deleteConversation({ id }), {
    done: t('deleted'),
    changes: [['conversations', botId]],
    onDone: () => void navigate({ to: `/bots/${botId}/conversations` as string }),
  });
  return (
    <Confirm
      label={t('delete')}
      title={t('deleteTitle')}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(undefined)}
    >
      {t('deleteAbout')}
    </Confirm>
  );
}
