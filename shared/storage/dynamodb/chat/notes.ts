/** Notes about conversations, outside the timeline, which end users read. */
import * as z from 'zod/mini';
import { decodeTime, parseTimelineId } from '#shared/core/ids.ts';
import { decode, encode } from '#shared/storage/dynamodb/engine/aliases.ts';
import { type Item, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { conversationKey, conversationPk, noteKey, notePrefix } from '#shared/storage/dynamodb/keys/chat.ts';
import { OF_GENERATION } from '#shared/storage/dynamodb/keys/generation.ts';
import { partitionList, type Range } from '#shared/storage/dynamodb/lists/lists.ts';
import { type Conversation, parseConversation } from './conversations.ts';
import { Actor } from './handoffs.ts';

const Stored = z.object({
  id: z.string(),
  conversationId: z.string(),
  text: z.string(),
  author: Actor,
  /** Mentioned members, with the name at the time of the note. */
  mentions: z.optional(z.array(z.object({ id: z.string(), name: z.string() }))),
  g: z.optional(z.number()),
});
export const parseNote = (item: Item) => decode(OF_GENERATION, Stored.parse(item));
export type Note = ReturnType<typeof parseNote>;

const keyOf = (botId: string, id: string) => {
  const { conversationId, position } = parseTimelineId('note', id)!;
  return noteKey(botId, conversationId, position);
};

export const noteCreatedAtMs = ({ id }: Pick<Note, 'id'>) => decodeTime(parseTimelineId('note', id)!.position);

export const putNewNote = (botId: string, note: Note): Write => ({
  put: {
    Item: { ...keyOf(botId, note.id), ...encode(OF_GENERATION, note) },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  onRefused: () => new WriteConflict(),
});

export const removeNote = (botId: string, { id }: Note, onRefused: () => Error): Write => ({
  remove: { Key: keyOf(botId, id), ConditionExpression: 'attribute_exists(pk)' },
  onRefused,
});

export async function findNote(
  botId: string,
  id: string,
): Promise<{ note: Note; conversation: Conversation } | undefined> {
  const place = parseTimelineId('note', id);
  if (!place) return undefined;
  const [item, conversationItem] = await readItems([keyOf(botId, id), conversationKey(botId, place.conversationId)]);
  const note = item && parseNote(item);
  const conversation = parseConversation(conversationItem);
  if (!note || !conversation || (note.generation ?? 0) !== conversation.generation) return undefined;
  return { note, conversation };
}

/** Returns the notes that exist, with their conversations. */
export async function findNotes(
  places: readonly { botId: string; noteId: string }[],
): Promise<{ botId: string; note: Note; conversation: Conversation }[]> {
  const items = await readItems(
    places.flatMap(({ botId, noteId }) => [
      keyOf(botId, noteId),
      conversationKey(botId, parseTimelineId('note', noteId)!.conversationId),
    ]),
  );
  return places.flatMap(({ botId }, i) => {
    const [item, conversation] = [items[2 * i], parseConversation(items[2 * i + 1])];
    const note = item && parseNote(item);
    return note && conversation && (note.generation ?? 0) === conversation.generation
      ? [{ botId, note, conversation }]
      : [];
  });
}

export async function* listNotes(
  botId: string,
  conversationId: string,
  range: Range,
): AsyncGenerator<{ sortKey: string; record: Note }> {
  for await (const { sortKey, item } of partitionList(conversationPk(botId, conversationId), notePrefix, range)) {
    yield { sortKey, record: parseNote(item) };
  }
}
