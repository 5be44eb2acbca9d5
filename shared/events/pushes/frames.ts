import { timelineId } from '#shared/core/ids.ts';
import { isPresenceFor } from '#shared/domain/chat/listening/presenceNews.ts';
import { presenceText, signalText } from '#shared/domain/chat/listening/signalText.ts';
import { streamCompletion } from '#shared/domain/chat/listening/streamCompletion.ts';
import { isStillParticipant } from '#shared/domain/messaging/participation.ts';
import { FRAME_BYTES } from '#shared/outbound/connections/connectionClient.ts';
import type { Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import { findParticipantsOf } from '#shared/storage/dynamodb/chat/participants.ts';
import type { Presence } from '#shared/storage/dynamodb/chat/presence.ts';
import type { ListenerConnection } from '#shared/storage/dynamodb/connections/connections.ts';

/**
 * Returns the frames of a connection: signals as the chat API's event stream has them. Clients of Parley receive the
 * entry's position as `id`, by which they drop repetitions and resume.
 */
export async function* framesOf(
  connection: ListenerConnection,
  { entries, presence = [] }: { entries: AsyncIterable<Entry> | Iterable<Entry>; presence?: readonly Presence[] },
): AsyncGenerator<string> {
  const { botId, conversationId, generation, userId, isResumable, alreadySent = [] } = connection;
  for await (const entry of entries) {
    if (entry.isImported || entry.generation !== generation || alreadySent.includes(entry.position)) continue;
    if (entry.kind === 'participant_removed' && entry.userId === userId) {
      const [current] = await findParticipantsOf(botId, conversationId, [userId]);
      // The next job closes the connection. The user may also have left and joined again before.
      if (!isStillParticipant(current, connection)) return;
      continue;
    }
    const text = await signalText(botId, entry, connection, 'chat');
    if (text === undefined) continue;
    const completion = streamCompletion(text);
    // Has no id, because it is sent again with its message. A larger message ends its stream by its reference.
    if (completion !== undefined && Buffer.byteLength(completion) <= FRAME_BYTES) yield completion;
    const frame = isResumable ? `{"id":"${entry.position}",${text.slice(1)}` : text;
    yield Buffer.byteLength(frame) <= FRAME_BYTES ? frame : referenceTo(entry, connection);
  }
  for (const each of presence) {
    if (!isPresenceFor(connection, each)) continue;
    const text = await presenceText(botId, each, connection, 'chat');
    if (text !== undefined) yield text;
  }
}

/** A signal that exceeds a frame is sent as a reference, which the client fetches. */
function referenceTo(entry: Entry, { conversationId, isResumable }: ListenerConnection): string {
  const kind = entry.kind === 'event' ? 'event' : 'message';
  const id = entry.messageId ?? timelineId(kind === 'event' ? 'evt' : 'msg', conversationId, entry.position);
  return JSON.stringify({
    ...(isResumable ? { id: entry.position } : {}),
    type: 'large_signal',
    data: { signal: SIGNALS[entry.kind as keyof typeof SIGNALS] ?? entry.kind, id },
  });
}
const SIGNALS = { message: 'message_created', event: 'event_created' } as const;
