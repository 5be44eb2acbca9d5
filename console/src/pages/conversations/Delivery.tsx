/** Delivery status of a message: to the bot, or to the integration of the conversation. */
import type { Client } from '@botpress/client';
import { Button, Text, Tooltip } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { PendingDelivery } from '../../api/contract.ts';
import { usePendingDelivery } from '../../api/usePendingDeliveries.ts';
import { useRetryMessage } from '../../api/useRetryMessage.ts';
import { IconCheck, IconClock, IconExclamationCircle } from '../../icons/tabler.ts';
import { conversation } from '../../messages/en/conversation.ts';
import { translator } from '../../messages/translate.ts';
import { When } from '../../parts/Small.tsx';
import { eventStatus } from '../eventStatus.ts';
import classes from './Delivery.module.css';

const t = translator('conversation', conversation);

type Event = Awaited<ReturnType<Client['listEvents']>>['events'][number];

/** Tag with the reason why the integration did not receive a message. */
const FAILURE_TAG = 'deliveryFailure';
/** A failure tag that is older than the retry by more than this belongs to an earlier failure. */
const RETRY_MS = 10_000;

const ICONS = { good: IconCheck, bad: IconExclamationCircle, busy: IconClock, idle: IconClock } as const;

/** Returns the tags of a message that other members wrote. */
export function ownTags(tags: Record<string, string> | undefined): Record<string, string> {
  const { [FAILURE_TAG]: _, ...others } = tags ?? {};
  return others;
}

interface DeliveryProps {
  botId: string;
  message: { id: string; tags?: Record<string, string> };
  event: Event | undefined;
  /** Successful deliveries are shown once per group. */
  isLastOfGroup: boolean;
  /** For messages of the bot and of members, whose success has no event. */
  isOutgoing?: boolean;
}

export function Delivery({ botId, message, event, isLastOfGroup, isOutgoing = false }: DeliveryProps) {
  const reason = message.tags?.[FAILURE_TAG];
  const isPending = reason === undefined && (isOutgoing || event?.status === 'pending');
  const pending = usePendingDelivery(botId, message.id, isPending);
  if (reason !== undefined) return <Failed botId={botId} id={message.id} label={t('notDelivered')} reason={reason} />;
  if (pending) return <Pending botId={botId} id={message.id} delivery={pending} />;
  if (isOutgoing) return isLastOfGroup ? <Line kind="good" label={t('sent')} /> : null;
  if (!event) return null;
  const { kind, label } = eventStatus(event.status);
  if (event.status === 'failed')
    return <Failed botId={botId} id={message.id} label={label} reason={event.failureReason} />;
  if (event.status === 'processed' && !isLastOfGroup) return null;
  if (isWithheld(event)) return <Line kind={kind} label={t('withheld')} />;
  return <Line kind={kind} label={label} reason={event.failureReason} />;
}

/** The reason names the handoff during which the message was withheld. */
const isWithheld = ({ status, failureReason }: Event): boolean =>
  status === 'ignored' && / handoff_/.test(failureReason ?? '');

interface LineProps {
  kind: keyof typeof ICONS;
  label: string;
  reason?: string | null | undefined;
  children?: ReactNode;
}

function Line({ kind, label, reason, children }: LineProps) {
  const Icon = ICONS[kind];
  return (
    <div className={classes.line} data-kind={kind}>
      <Icon size={13} aria-hidden />
      <span>{label}</span>
      {reason && (
        <Text span size="xs" className={classes.reason}>
          {reason}
        </Text>
      )}
      {children}
    </div>
  );
}

interface PendingProps {
  botId: string;
  id: string;
  delivery: PendingDelivery;
}

/** A delivery whose endpoint could not be called. */
function Pending({ botId, id, delivery: { attempts, reason, nextAttemptAt } }: PendingProps) {
  const retry = useRetryMessage(botId, id);
  const progress = attempts > 0 ? t('attempts', { count: attempts }) : t('waits');
  return (
    <Line kind="busy" label={t('pending')}>
      <span aria-hidden>·</span>
      <span>{progress}</span>
      <span aria-hidden>·</span>
      <span>{t.rich('nextAttempt', { time: <When at={nextAttemptAt} isExact /> })}</span>
      <Tooltip label={t('retryNowAbout')}>
        <Button size="compact-xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate(undefined)}>
          {t('retryNow')}
        </Button>
      </Tooltip>
      {reason && <span className={classes.reason}>{reason}</span>}
    </Line>
  );
}

interface FailedProps {
  botId: string;
  id: string;
  label: string;
  reason: string | null | undefined;
}

function Failed({ botId, id, label, reason }: FailedProps) {
  const [isRetried, setRetried] = useState(false);
  const { start } = useTimeout(() => setRetried(false), RETRY_MS);
  const retry = useRetryMessage(botId, id, () => {
    setRetried(true);
    start();
  });
  if (isRetried) return <Line kind="busy" label={t('deliveringAgain')} />;
  return (
    <Line kind="bad" label={label} reason={reason}>
      <Tooltip label={t('retryAbout')}>
        <Button size="compact-xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate(undefined)}>
          {t('retry')}
        </Button>
      </Tooltip>
    </Line>
  );
}
