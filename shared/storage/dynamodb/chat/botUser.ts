import * as z from 'zod/mini';
import { applyChanges, type MapChange } from '#shared/core/mapChanges.ts';
import { type Item, readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { changeItem } from '#shared/storage/dynamodb/engine/update.ts';
import { botUserKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { tagConditions } from '#shared/storage/dynamodb/tags/tagConditions.ts';
import { Tags } from '#shared/storage/dynamodb/tags/tags.ts';

const BotUser = z.object({
  tags: Tags,
  version: z.number(),
  updatedAtMs: z.number(),
});
export type BotUser = z.infer<typeof BotUser>;

export const parseBotUser = (item: Item | undefined): BotUser =>
  item ? BotUser.parse(item) : { tags: {}, version: 0, updatedAtMs: 0 };

export const findBotUser = async (botId: string): Promise<BotUser> => parseBotUser(await readItem(botUserKey(botId)));

/** Changes tags. @throws WriteConflict after a concurrent change, or if the version is not `ifVersion` */
export async function changeBotUser(
  botId: string,
  before: BotUser,
  tags: MapChange,
  { ifVersion, nowMs }: { ifVersion: number | undefined; nowMs: number },
): Promise<BotUser> {
  const key = botUserKey(botId);
  if (before.version === 0) {
    const first = { tags: applyChanges<string>({}, tags.changes), version: 1, updatedAtMs: nowMs };
    await write([
      {
        put: { Item: { ...key, ...first }, ConditionExpression: 'attribute_not_exists(pk)' },
        onRefused: () => new WriteConflict(),
      },
    ]);
    return first;
  }
  const { conditions = [], ...change } = tagConditions({ tags });
  const item = await changeItem(
    key,
    {
      ...change,
      fields: { updatedAtMs: nowMs },
      maps: { tags: tags.changes },
      conditions: ['attribute_exists(pk)', ...conditions],
      ifVersion,
    },
    () => new WriteConflict(),
  );
  return BotUser.parse(item);
}
