import { splitPk } from '#shared/storage/dynamodb/keys/table.ts';
import { messageTagListPk } from '#shared/storage/dynamodb/keys/tags.ts';
import {
  distinct,
  END,
  inChunks,
  mergeParts,
  partitionList,
  type Range,
  tagList,
  tagListParts,
} from '#shared/storage/dynamodb/lists/lists.ts';
import { type TaggedKind, type Tags, tagListOf } from './tags.ts';

async function* listTagged(
  botId: string,
  kind: TaggedKind,
  [key, value]: [string, string],
  range: Range,
  conversationId?: string,
): AsyncGenerator<{ sortKey: string; id: string }> {
  const list = tagListOf(botId, kind, key, value);
  const entries =
    conversationId === undefined
      ? tagList(list, range)
      : partitionList(messageTagListPk(botId, list.hash, conversationId), '', range);
  for await (const { sortKey, item } of entries) yield { sortKey, id: item.id };
}

/** Lists records of several bots with a tag, newest first. Costs a query per bot, kind and shard. */
export async function* listTaggedOfBots(
  botIds: readonly string[],
  kinds: readonly ('user' | 'conversation')[],
  [key, value]: [string, string],
  after: string | undefined,
): AsyncGenerator<{ sortKey: string; botId: string; id: string }> {
  const parts = botIds.flatMap(botId => kinds.flatMap(kind => tagListParts(tagListOf(botId, kind, key, value))));
  const entries = distinct(mergeParts(parts, { direction: 'desc', first: '', last: END, after }));
  for await (const { sortKey, item } of entries) yield { sortKey, botId: splitPk(item.pk).botId, id: item.id };
}

/** Lists records of the rarest tag, which it estimates from the start of each list. */
export async function* listNarrowest(
  botId: string,
  kind: TaggedKind,
  tags: Tags,
  range: Range,
  conversationId?: string,
): AsyncGenerator<{ sortKey: string; id: string }> {
  const lists = Object.entries(tags).map(tag => listTagged(botId, kind, tag, range, conversationId));
  if (lists.length === 1) return yield* lists[0]!;
  const starts = await Promise.all(
    lists.map(async list => {
      const seen: { sortKey: string; id: string }[] = [];
      while (seen.length < LOOKAHEAD) {
        const { value, done } = await list.next();
        if (done) break;
        seen.push(value);
      }
      return { list, seen };
    }),
  );
  const { list, seen } = starts.sort((a, b) => a.seen.length - b.seen.length)[0]!;
  yield* seen;
  yield* list;
}
const LOOKAHEAD = 25;

export async function* listTaggedMessages(
  botId: string,
  conversationId: string | undefined,
  tags: Tags,
  range: Range,
): AsyncGenerator<{ sortKey: string; conversationId: string; position: string }> {
  for await (const { sortKey } of listNarrowest(botId, 'message', tags, range, conversationId)) {
    const [position, of] = sortKey.split('#') as [string, string];
    if (conversationId === undefined || of === conversationId) yield { sortKey, conversationId: of, position };
  }
}

export async function* loadTagged<T>(
  entries: AsyncIterable<{ sortKey: string; id: string }>,
  load: (ids: string[]) => Promise<(T | undefined)[]>,
  size: number,
): AsyncGenerator<{ sortKey: string; record: T | undefined }> {
  for await (const chunk of inChunks(entries, size)) {
    const records = await load(chunk.map(({ id }) => id));
    for (const [i, { sortKey }] of chunk.entries()) yield { sortKey, record: records[i] };
  }
}
