import type { ConversationCall } from '#shared/api/operations/chat.ts';
import { notFound } from '#shared/core/errors.ts';
import { decodeTime, parseTimelineId } from '#shared/core/ids.ts';
import type { Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import type { Participant } from '#shared/storage/dynamodb/chat/participants.ts';
import { findEntry } from '#shared/storage/dynamodb/chat/timeline.ts';

const CLOCK_SKEW_MS = 2_000;

export async function readMessage({
  botId,
  input: { id },
  conversationId,
  participation,
}: ConversationCall<{ id: string }>): Promise<Entry> {
  const { position } = parseTimelineId('msg', id)!;
  const [entry, { generation }] = await Promise.all([findEntry(botId, conversationId, position), participation]);
  if (entry?.kind !== 'message' || entry.generation !== generation) throw notFound(`The message ${id}`);
  return entry;
}

/** Returns undefined for a deleted author whose id the caller reused. */
export const authorOf = (
  { position, isImported, userId }: Entry,
  { userGeneration }: Participant,
): string | undefined =>
  !isImported && decodeTime(position) < decodeTime(userGeneration) - CLOCK_SKEW_MS ? undefined : userId;
