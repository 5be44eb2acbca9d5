import { clock } from '#shared/core/clock.ts';
import { isConversationId } from '#shared/core/ids.ts';
import { changed, written } from '#shared/events/consumers/filters.ts';
import { hasAttendanceChanged } from '#shared/storage/dynamodb/chat/memberPresence.ts';
import { parseNote } from '#shared/storage/dynamodb/chat/notes.ts';
import { hasTypingChanged } from '#shared/storage/dynamodb/chat/presence.ts';
import { isListenedTo } from '#shared/storage/dynamodb/connections/connections.ts';
import { MEMBERS } from '#shared/storage/dynamodb/connections/members.ts';
import { addToNotice, type Topic } from '#shared/storage/dynamodb/connections/notices.ts';
import type { RecordKind, StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { enqueuePush } from '#shared/storage/queues/pushes.ts';

const TOPIC_OF = {
  conversation: 'conversations',
  timelineEntry: 'messages',
  event: 'events',
  handoff: 'handoffs',
  note: 'notes',
  user: 'users',
  workflow: 'workflows',
  breaker: 'endpoints',
  presence: 'presence',
  memberPresence: 'presence',
  visit: 'presence',
  // Of a workspace.
  agent: 'agents',
  inboxSettings: 'agents',
} as const satisfies { [kind in RecordKind]?: Topic };
type NoticedKind = keyof typeof TOPIC_OF;

/** Changes that members are notified of. Removals of messages and events are those of retention and of sweeps. */
export const NOTICED = [
  changed('conversation', 'handoff', 'note', 'user', 'workflow', 'breaker', 'agent', 'inboxSettings'),
  written('timelineEntry', 'event', 'presence', 'memberPresence', 'visit'),
];

/**
 * Requests one notice for the changes of a bot or of the agents of a workspace, if members watch it. A bot that nobody
 * watches costs one read unit.
 * Redelivered changes repeat a notice, which is harmless.
 */
export async function requestNotices(changes: readonly StreamChange[]): Promise<void> {
  const noticed = changes.filter(isNoticed);
  const [first] = noticed;
  if (!first || !(await isListenedTo(first.botId, MEMBERS))) return;
  const accountIds = new Set(noticed.flatMap(mentionedIn));
  const topics = new Set<Topic>(noticed.map(({ kind }) => TOPIC_OF[kind as NoticedKind]));
  if (accountIds.size > 0) topics.add('mentions');
  const conversationIds = new Set(noticed.map(({ id }) => id).filter(isConversationId));
  const named = { conversationIds: [...conversationIds], accountIds: [...accountIds] };
  await addToNotice(first.botId, { topics: [...topics], ...named }, clock.now());
  // After the write, so that the job finds it.
  await enqueuePush({ kind: 'notice', botId: first.botId }, `${first.sequenceNumber}#notice`);
}

/** Returns the accounts that a new note mentions. */
function mentionedIn({ kind, event, after }: StreamChange): string[] {
  if (kind !== 'note' || event !== 'INSERT') return [];
  return (parseNote(after).mentions ?? []).map(({ id }) => id);
}

/** Excludes changes that no list shows: the sweep of a conversation's content, and activity of users. */
function isNoticed({ kind, event, before, after }: StreamChange): boolean {
  if (kind === 'timelineEntry' || kind === 'event') return event !== 'REMOVE';
  if (kind === 'user' && event === 'MODIFY')
    return before.name !== after.name || before.pictureUrl !== after.pictureUrl;
  if (kind === 'presence') return hasTypingChanged(before, after);
  if (kind === 'memberPresence') return hasAttendanceChanged(before, after);
  if (kind === 'visit') return event !== 'REMOVE' && before.pageId !== after.pageId;
  return true;
}
