/** The thread of a conversation: messages, notes, changes of the handoff, and unsent entries. */
import type { Handoff, Note } from '../../api/contract.ts';
import type { ThreadMessage } from '../../parts/Thread.tsx';
import { messageOfFile } from './attachmentFiles.ts';
import type { Outgoing } from './replyOutbox.ts';

export interface TimelineItem extends ThreadMessage {
  tags?: Record<string, string>;
  note?: Note;
  /** Set until the API lists the message. */
  outgoing?: Outgoing;
}

interface Message {
  id: string;
  createdAt: string;
  userId: string;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: bots and users send any payload
  payload: Record<string, any>;
  tags: Record<string, string>;
}

/** Texts of changes of a handoff. */
export interface HandoffTexts {
  requested(name: string, reason: string | undefined): string;
  rated(rating: NonNullable<Handoff['rating']>): string;
  snoozed(name: string, until: string): string;
  woken(): string;
  ended(handoff: Pick<Handoff, 'endedBy' | 'outcome'>): string;
  served(handoff: Pick<Handoff, 'member' | 'assignedBy'>): string;
}

const TAKEN_AT_START_MS = 1_000;

/** Author id that groups a member's notes separately from their messages. */
const noteAuthor = ({ author }: Note) => `note ${author.id}`;
export const authorOfNote = (userId: string): string | undefined => /^note (.+)$/.exec(userId)?.[1];

function linesOf({ id, ...handoff }: Handoff, texts: HandoffTexts): TimelineItem[] {
  const { startedAt, startedBy, reason, member, servedAt, latestSnooze, endedAt, endedBy, rating } = handoff;
  const line = (kind: string, createdAt: string, text: string): TimelineItem => ({
    id: `${id} ${kind}`,
    createdAt,
    userId: '',
    type: 'text',
    payload: { text },
    variant: 'line',
  });
  const snoozeLines = ({ by, at, until, endedAt: wokenAt }: NonNullable<typeof latestSnooze>) => [
    line('snoozed', at, texts.snoozed(by.name, until)),
    // The end of the handoff and another assignment have lines of their own.
    ...(wokenAt && wokenAt !== servedAt && !endedAt ? [line('woken', wokenAt, texts.woken())] : []),
  ];
  // Taking over from the bot starts the handoff and assigns it in one step, which one line reports.
  const isTakenAtStart =
    startedBy.id === member?.id && Date.parse(servedAt ?? '') - Date.parse(startedAt) < TAKEN_AT_START_MS;
  return [
    ...(isTakenAtStart ? [] : [line('start', startedAt, texts.requested(startedBy.name, reason))]),
    ...(member && servedAt ? [line('served', servedAt, texts.served(handoff))] : []),
    ...(latestSnooze ? snoozeLines(latestSnooze) : []),
    ...(endedAt && endedBy ? [line('end', endedAt, texts.ended(handoff))] : []),
    ...(rating ? [line('rating', rating.ratedAt, texts.rated(rating))] : []),
  ];
}

interface Parts {
  messages: readonly Message[];
  notes: readonly Note[];
  handoffs: readonly Handoff[];
  outgoing: readonly Outgoing[];
  /** Chat user of the caller, if they are the assignee. */
  ownUserId: string | undefined;
  ownId: string;
  texts: HandoffTexts;
  /** True if older messages are not loaded. Entries before the first loaded message are then hidden. */
  hasEarlier: boolean;
}

/** Returns the items, oldest first. */
export function timelineOf(parts: Parts): TimelineItem[] {
  const { messages, notes, handoffs, outgoing, ownUserId, ownId, texts, hasEarlier } = parts;
  const known = new Set([...messages, ...notes].map(({ id }) => id));
  const [oldest = ''] = messages.map(({ createdAt }) => createdAt).sort();
  const start = hasEarlier ? oldest : '';
  const listed: TimelineItem[] = [
    ...messages,
    ...notes.map(note => ({
      id: note.id,
      createdAt: note.createdAt,
      userId: noteAuthor(note),
      type: 'text',
      payload: { text: note.text },
      variant: 'note' as const,
      note,
    })),
    ...handoffs.flatMap(handoff => linesOf(handoff, texts)),
  ];
  const sent = listed.filter(({ createdAt }) => createdAt >= start).sort((a, b) => compare(a, b));
  const pending = outgoing
    .filter(({ id }) => id === undefined || !known.has(id))
    .map(each => ({
      id: each.key,
      createdAt: each.createdAt,
      userId: each.isNote ? `note ${ownId}` : (ownUserId ?? ownId),
      ...(each.file ? messageOfFile(each.file) : { type: 'text', payload: { text: each.text } }),
      ...(each.isNote ? { variant: 'note' as const } : {}),
      outgoing: each,
    }));
  // Unsent entries are always last, regardless of this computer's clock.
  return [...sent, ...pending];
}

const compare = (a: TimelineItem, b: TimelineItem) =>
  a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id);
