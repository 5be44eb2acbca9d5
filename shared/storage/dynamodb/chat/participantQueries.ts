import { isUserId } from '#shared/core/ids.ts';
import { readItems } from '#shared/storage/dynamodb/engine/query.ts';
import {
  conversationPk,
  formerPrefix,
  participantKey,
  participantPrefix,
  userConversationsPk,
} from '#shared/storage/dynamodb/keys/chat.ts';
import { GENERATION } from '#shared/storage/dynamodb/keys/generation.ts';
import { splitPk } from '#shared/storage/dynamodb/keys/table.ts';
import { indexKeys, mergeParts, type Range } from '#shared/storage/dynamodb/lists/lists.ts';
import type { Conversation } from './conversations.ts';

export async function* listConversationIdsOfUser(
  botId: string,
  userId: string,
  range: Range,
): AsyncGenerator<{ sortKey: string; id: string }> {
  if (!isUserId(userId)) return;
  for await (const { sortKey, item } of indexKeys('gsi2', userConversationsPk(botId, userId), range)) {
    yield { sortKey, id: splitPk(item.pk).id };
  }
}

export async function* listEverParticipants(
  botId: string,
  { id, generation }: Pick<Conversation, 'id' | 'generation'>,
  range: Range,
): AsyncGenerator<{ sortKey: string; id: string }> {
  const pk = conversationPk(botId, id);
  let last: string | undefined;
  const parts = [participantPrefix, formerPrefix].map(prefix => ({ pk, prefix }));
  for await (const { sortKey: userId, item } of mergeParts(parts, range)) {
    const isOfGeneration = (item.generation ?? item[GENERATION] ?? 0) === generation;
    if (isOfGeneration && userId !== last) yield { sortKey: userId, id: userId };
    last = userId;
  }
}

export async function areParticipants(
  botId: string,
  { id, generation }: Pick<Conversation, 'id' | 'generation'>,
  userIds: readonly string[],
): Promise<boolean> {
  if (userIds.length === 0) return true;
  const items = await readItems([...new Set(userIds)].map(userId => participantKey(botId, id, userId)));
  return items.every(item => item?.generation === generation);
}
