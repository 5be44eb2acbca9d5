/** Texts of a desktop notification, and the page that it opens. */

import type { Actor, InboxRow } from '../api/contract.ts';
import { joinNames } from '../messages/bidi.ts';
import { alerts as english } from '../messages/en/alerts.ts';
import { translator } from '../messages/translate.ts';
import { conversationPath, type View } from '../navigation/inboxAddress.ts';
import { previewOf } from '../parts/Payload.tsx';
import { personName } from '../parts/personName.ts';
import { ALERT_EVENTS, type AlertEvent } from './alertSettings.ts';
import type { Alert } from './decideAlerts.ts';

const t = translator('alerts', english);

export interface AlertText {
  title: string;
  body: string;
  /** Replaces an earlier notification with the same tag. */
  tag: string;
  path: string;
  view: View;
  /** Note that the conversation shows. */
  note?: string;
}

/** A read message leaves the view of unread ones, so messages lead to the member's conversations. */
const viewOf = (event: AlertEvent): View =>
  event === 'waiting' ? 'waiting' : event === 'mention' ? 'mentions' : 'mine';
const MOST_NAMES = 5;

/** @param alerts at least one; several are summarized */
export function textOf(alerts: readonly Alert[]): AlertText {
  const [first] = alerts as [Alert];
  return alerts.length === 1 ? textOfOne(first) : summary(alerts);
}

function textOfOne(alert: Alert): AlertText {
  const { event, row } = alert;
  const { botId, conversationId } = row;
  return {
    ...wordsOf(alert),
    ...(event === 'mention' ? { note: row.noteId } : {}),
    tag: `${event} ${conversationId}`,
    path: conversationPath(botId, conversationId),
    view: viewOf(event),
  };
}

const byText = ({ type, name }: Actor): string =>
  type === 'system' ? t('assignedAutomatically') : t('assignedBy', { name });

function wordsOf({ event, row }: Alert): { title: string; body: string } {
  if (event === 'mention') return { title: t('mentionedBy', { name: row.author.name }), body: row.excerpt };
  const { reason, updatedBy } = row;
  const name = nameIn(row);
  const message = messageIn(row);
  switch (event) {
    case 'waiting':
      return { title: reason ? t('waitingFor', { name, reason }) : t('waiting', { name }), body: message };
    case 'assigned':
      return {
        title: t('assigned', { name }),
        body: [updatedBy && byText(updatedBy), message].filter(Boolean).join('\n'),
      };
    case 'message':
      return { title: hasSnoozeEnded(row) ? t('snoozeEnded', { name }) : name, body: message };
  }
}

/** Returns true if the conversation is unread because its snooze has ended, not because the customer wrote. */
const hasSnoozeEnded = ({ latestSnooze, lastUserMessageAt = '' }: InboxRow): boolean =>
  latestSnooze?.endedAt !== undefined && latestSnooze.at > lastUserMessageAt;

function summary(alerts: readonly Alert[]): AlertText {
  const counted = ALERT_EVENTS.flatMap(event => {
    const count = alerts.filter(each => each.event === event).length;
    return count === 0 ? [] : [{ event, count }];
  });
  const names = alerts.slice(0, MOST_NAMES).map(({ row }) => nameIn(row));
  const views = new Set(counted.map(({ event }) => viewOf(event)));
  const [view] = views.size === 1 ? views : ['open' as const];
  return {
    title: counted.map(({ event, count }) => t(`many_${event}`, { count })).join(', '),
    body: joinNames(alerts.length > MOST_NAMES ? [...names, '…'] : names),
    tag: 'summary',
    path: '/inbox',
    view: view!,
  };
}

const nameIn = (row: Alert['row']): string => {
  const user = 'noteId' in row ? row.user : row.preview?.user;
  return user ? personName(user) : t('customer');
};

function messageIn({ preview }: InboxRow): string {
  const { type, text } = preview?.lastMessage ?? {};
  if (type === undefined) return '';
  return previewOf({ type, text });
}
