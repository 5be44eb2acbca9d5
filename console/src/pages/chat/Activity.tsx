/** Live events of the test chat's conversation, and the bot's log since the conversation began. */
import '@mantine/core/styles/Tabs.layer.css';
import { Anchor, Badge, Button, Collapse, Tabs, Text, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useReplay } from '../../api/useReplay.ts';
import { useRetryMessage } from '../../api/useRetryMessage.ts';
import { IconBolt, IconChevronRight, IconTerminal2 } from '../../icons/tabler.ts';
import { chat } from '../../messages/en/chat.ts';
import { conversation } from '../../messages/en/conversation.ts';
import { translator } from '../../messages/translate.ts';
import { Copyable } from '../../parts/Copyable.tsx';
import { Retry } from '../../parts/Retry.tsx';
import { Json, Status, When } from '../../parts/Small.tsx';
import { Empty, Loaded } from '../../parts/States.tsx';
import { useConversationEvents } from '../conversations/useConversationEvents.ts';
import type { Event } from '../EventDetail.tsx';
import { eventStatus } from '../eventStatus.ts';
import { LogLines } from '../logs/LogLines.tsx';
import { useLog } from '../logs/useLog.ts';
import classes from './Activity.module.css';
import { failedAttemptsOf } from './failedAttempts.ts';

const t = translator('chat', chat);
const delivery = translator('conversation', conversation);

interface ActivityProps {
  botId: string;
  conversationId: string;
  /** ISO time. */
  since: string;
}

export function Activity({ botId, conversationId, since }: ActivityProps) {
  const { data: events = [] } = useConversationEvents(botId, conversationId);
  const failed = events.filter(({ status }) => status === 'failed').length;
  return (
    <aside className={classes.panel} aria-label={t('activityAbout')}>
      <Tabs defaultValue="events" keepMounted={false} className={classes.tabs}>
        <Tabs.List px="xs">
          <Tabs.Tab
            value="events"
            rightSection={
              failed > 0 && (
                <Badge size="sm" color="red" variant="light" aria-label={t('failedCount', { count: failed })}>
                  {failed}
                </Badge>
              )
            }
          >
            {t('events')}
          </Tabs.Tab>
          <Tabs.Tab value="log">{t('log')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="events" className={classes.content}>
          <Events botId={botId} conversationId={conversationId} since={since} />
        </Tabs.Panel>
        <Tabs.Panel value="log" className={classes.content}>
          <Log botId={botId} since={since} />
        </Tabs.Panel>
      </Tabs>
    </aside>
  );
}

function Events({ botId, conversationId, since }: ActivityProps) {
  const query = useConversationEvents(botId, conversationId);
  const { data: log } = useChatLog(botId, since);
  return (
    <div className={classes.events}>
      <Loaded query={query}>
        {events =>
          events.length === 0 ? (
            <Empty Icon={IconBolt} title={t('noEvents')}>
              {t('noEventsAbout')}
            </Empty>
          ) : (
            <>
              <ul className={classes.list} aria-label={t('events')}>
                {events.map(event => (
                  <OneEvent
                    key={event.id}
                    botId={botId}
                    event={event}
                    attempts={failedAttemptsOf(event.id, log?.lines ?? [])}
                  />
                ))}
              </ul>
              <PageLink to={`/bots/${botId}/events`}>{t('allEvents')}</PageLink>
            </>
          )
        }
      </Loaded>
    </div>
  );
}

const PageLink = ({ to, children }: { to: string; children: string }) => (
  <div className={classes.more}>
    <Anchor component={Link} size="xs" to={to as string}>
      {children}
    </Anchor>
  </div>
);

interface OneEventProps {
  botId: string;
  event: Event;
  attempts: ReturnType<typeof failedAttemptsOf>;
}

function OneEvent({ botId, event, attempts }: OneEventProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { kind, label } = eventStatus(event.status);
  const reason = event.failureReason ?? (event.status === 'pending' ? attempts.latest : undefined);
  return (
    <li className={classes.event}>
      <div className={classes.head}>
        <UnstyledButton
          className={classes.opener}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <IconChevronRight size={14} className={classes.chevron} aria-hidden />
          <span className={classes.type}>{event.type}</span>
        </UnstyledButton>
        <Text size="xs" c="dimmed" component="span">
          <When at={event.createdAt} isExact />
        </Text>
        <Status kind={kind}>{label}</Status>
      </div>
      {attempts.count > 0 && (
        <Text size="xs" c="dimmed" className={classes.reason}>
          {t('failedAttempts', { count: attempts.count })}
        </Text>
      )}
      {reason && (
        <Text size="xs" c="var(--mantine-color-error)" className={classes.reason}>
          {reason}
        </Text>
      )}
      {event.status === 'failed' && (
        <div className={classes.reason}>
          {event.messageId ? (
            <RetryMessage botId={botId} id={event.messageId} />
          ) : (
            <RetryEvent botId={botId} event={event} />
          )}
        </div>
      )}
      <Collapse expanded={isOpen} id={id}>
        {isOpen && (
          <div className={classes.payload}>
            <Copyable value={event.id} label={t('copyEvent')} />
            <Json value={event.payload} label={t('payload')} />
          </div>
        )}
      </Collapse>
    </li>
  );
}

function RetryMessage({ botId, id }: { botId: string; id: string }) {
  const retry = useRetryMessage(botId, id);
  return (
    <Button size="compact-xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate(undefined)}>
      {delivery('retry')}
    </Button>
  );
}

/** Events without a message are replayed by time. */
const RetryEvent = ({ botId, event }: { botId: string; event: Event }) => (
  <Retry replay={useReplay(botId)} since={event.createdAt} />
);

const useChatLog = (botId: string, since: string) =>
  useLog(botId, { range: since, startMs: () => Date.parse(since), isFollowing: true });

function Log({ botId, since }: Omit<ActivityProps, 'conversationId'>) {
  const query = useChatLog(botId, since);
  return (
    <Loaded query={query}>
      {({ lines }) =>
        lines.length === 0 ? (
          <Empty Icon={IconTerminal2} title={t('noLines')}>
            {t('noLinesAbout')}
          </Empty>
        ) : (
          <>
            <LogLines lines={lines} isFollowing isNarrow />
            <PageLink to={`/bots/${botId}/logs`}>{t('wholeLog')}</PageLink>
          </>
        )
      }
    </Loaded>
  );
}
