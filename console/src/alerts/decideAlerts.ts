/** Decides which changes of handoffs alert the member. Compares only times of the server with each other. */
import type { InboxRow, Mention } from '../api/contract.ts';
import type { AlertEvent, AlertSettings } from './alertSettings.ts';

export interface HandoffAlert {
  event: Exclude<AlertEvent, 'mention'>;
  row: InboxRow;
}

/** A note that mentions the member. */
export interface MentionAlert {
  event: 'mention';
  row: Mention & { id: string };
}

export type Alert = HandoffAlert | MentionAlert;

/** Times up to which changes were considered. */
export interface Considered {
  /** Server time at which the page was opened. Earlier changes do not alert. */
  since: string;
  byHandoff: ReadonlyMap<string, Marks>;
}

interface Marks {
  changedAt: string;
  messageAt: string;
}

export interface Viewer {
  ownId: string;
  events: AlertSettings['events'];
  /** Returns true if the conversation is open in a tab that has the focus. */
  isViewing(row: Pick<InboxRow, 'botId' | 'conversationId'>): boolean;
}

/**
 * Returns the alerts of handoffs that were read again, at most one for each. A change is considered once, whether or
 * not it alerts.
 */
export function decideAlerts(
  before: Considered,
  rows: readonly InboxRow[],
  { ownId, events, isViewing }: Viewer,
): { considered: Considered; alerts: Alert[] } {
  const byHandoff = new Map(before.byHandoff);
  const alerts = rows.flatMap((row): Alert[] => {
    const former = byHandoff.get(row.id) ?? { changedAt: before.since, messageAt: before.since };
    const { updatedAt, lastUserMessageAt = '' } = row;
    byHandoff.set(row.id, {
      changedAt: later(former.changedAt, updatedAt),
      messageAt: later(former.messageAt, lastUserMessageAt),
    });
    const event = eventOf(row, former, ownId);
    return event && events[event] && !isViewing(row) ? [{ event, row }] : [];
  });
  return { considered: { since: before.since, byHandoff }, alerts };
}

function eventOf(row: InboxRow, former: Marks, ownId: string): HandoffAlert['event'] | undefined {
  const {
    status,
    member,
    snoozedUntil,
    latestSnooze,
    updatedAt,
    updatedBy,
    servedAt = '',
    lastUserMessageAt = '',
    isUnread,
  } = row;
  if (snoozedUntil !== undefined) return undefined;
  const isOwnChange = updatedBy?.type === 'member' && updatedBy.id === ownId;
  const hasChanged = updatedAt > former.changedAt && !isOwnChange;
  if (status === 'waiting') return hasChanged ? 'waiting' : undefined;
  if (status !== 'served' || member?.id !== ownId) return undefined;
  const wokenAt = latestSnooze?.endedAt ?? '';
  // A snooze that ended calls for the customer as their message does.
  if (hasChanged && wokenAt > servedAt && wokenAt > former.changedAt) return isUnread ? 'message' : undefined;
  if (hasChanged) return 'assigned';
  // Messages before the assignment are part of it.
  const isNew = isUnread && lastUserMessageAt > former.messageAt && lastUserMessageAt > servedAt;
  return isNew ? 'message' : undefined;
}

const later = (one: string, other: string): string => (one > other ? one : other);

/** Returns the alerts of mentions that were written since the previous call, and their ids. */
export function decideMentions(
  { since, considered }: { since: string; considered: ReadonlySet<string> },
  mentions: readonly Mention[],
  { events, isViewing }: Pick<Viewer, 'events' | 'isViewing'>,
): MentionAlert[] {
  return mentions
    .filter(({ noteId, createdAt }) => createdAt > since && !considered.has(noteId))
    .filter(mention => events.mention && !isViewing(mention))
    .map(mention => ({ event: 'mention', row: { ...mention, id: mention.noteId } }));
}

/** Merges pending alerts, keeping the latest of each conversation. */
export function joinAlerts(earlier: readonly Alert[], added: readonly Alert[]): Alert[] {
  const replaced = new Set(added.map(({ row }) => row.id));
  return [...earlier.filter(({ row }) => !replaced.has(row.id)), ...added];
}
