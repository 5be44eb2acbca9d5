import { chunksOf } from '#shared/core/concurrency.ts';
import { type Presence, parsePresences } from '#shared/storage/dynamodb/chat/presence.ts';
import { isListenedTo } from '#shared/storage/dynamodb/connections/connections.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { enqueuePush } from '#shared/storage/queues/pushes.ts';

/** Entries per job. Their signals are read and sent by one call of a function. */
const ENTRIES = 100;

/**
 * Enqueues the signals of one conversation for its connections, in stream order. A conversation without connections
 * costs one read unit. Redelivered changes are harmless: the queue deduplicates jobs, and clients frames.
 */
export async function requestPushes(changes: readonly StreamChange[]): Promise<void> {
  const [{ botId, id: conversationId, sequenceNumber }] = changes as [StreamChange];
  if (!(await isListenedTo(botId, conversationId))) return;
  const positions = changes.flatMap(({ kind, event, position }) =>
    kind === 'timelineEntry' && event === 'INSERT' ? position : [],
  );
  const presence = changes.flatMap(change => (change.kind === 'presence' ? changedPresence(change) : []));
  const parts = positions.length > 0 ? chunksOf(positions, ENTRIES) : presence.length > 0 ? [[]] : [];
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1;
    await enqueuePush(
      { kind: 'signals', botId, conversationId, positions: part, presence: isLast ? presence : [] },
      `${sequenceNumber}#${i}`,
    );
  }
  if (changes.some(({ kind, event }) => kind === 'participant' && event === 'REMOVE'))
    await enqueuePush({ kind: 'left', botId, conversationId }, `${sequenceNumber}#left`);
}

function changedPresence({ before, after }: StreamChange): Presence[] {
  const known = new Map(parsePresences(before).map(({ name, atMs }) => [name, atMs]));
  return parsePresences(after).filter(({ name, atMs }) => known.get(name) !== atMs);
}
