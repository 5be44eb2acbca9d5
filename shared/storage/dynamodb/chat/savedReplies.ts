/** Texts that the members of a bot reuse. They are few, so one partition lists them. */
import * as z from 'zod/mini';
import { notFound } from '#shared/core/errors.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { changeItem } from '#shared/storage/dynamodb/engine/update.ts';
import { savedRepliesPk, savedReplyKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { partitionList, type Range } from '#shared/storage/dynamodb/lists/lists.ts';

const SavedReply = z.object({
  id: z.string(),
  name: z.string(),
  text: z.string(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  version: z.number(),
});
export type SavedReply = z.infer<typeof SavedReply>;

export const putNewSavedReply = (botId: string, reply: SavedReply): Write => ({
  put: { Item: { ...savedReplyKey(botId, reply.id), ...reply }, ConditionExpression: 'attribute_not_exists(pk)' },
  onRefused: () => new WriteConflict(),
});

export async function changeSavedReply(
  botId: string,
  id: string,
  fields: Partial<Pick<SavedReply, 'name' | 'text' | 'updatedAtMs'>>,
  { ifVersion, onOtherVersion }: { ifVersion: number | undefined; onOtherVersion: () => Error },
): Promise<SavedReply> {
  const change = { fields, conditions: ['attribute_exists(pk)'] as [string], ifVersion };
  const item = await changeItem(savedReplyKey(botId, id), change, existing =>
    existing ? onOtherVersion() : notFound(`The saved reply ${id}`),
  );
  return SavedReply.parse(item);
}

export const removeSavedReply = (botId: string, id: string): Write => ({
  remove: { Key: savedReplyKey(botId, id), ConditionExpression: 'attribute_exists(pk)' },
  onRefused: () => notFound(`The saved reply ${id}`),
});

export async function* listSavedReplies(
  botId: string,
  range: Range,
): AsyncGenerator<{ sortKey: string; record: SavedReply }> {
  for await (const { sortKey, item } of partitionList(savedRepliesPk(botId), '', range)) {
    yield { sortKey, record: SavedReply.parse(item) };
  }
}
