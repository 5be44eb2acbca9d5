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
  name: z.optional(z.string()),
  pictureUrl: z.optional(z.string()),
  /** Earlier releases stored only tags. */
  properties: z.optional(Tags),
  attributes: z.optional(Tags),
  version: z.number(),
  updatedAtMs: z.number(),
});
export type BotUser = z.infer<typeof BotUser>;

export interface BotUserChange {
  fields: { name?: string | null | undefined; pictureUrl?: string | null | undefined };
  maps: Record<'tags' | 'properties' | 'attributes', MapChange>;
}

export const parseBotUser = (item: Item | undefined): BotUser =>
  item ? BotUser.parse(item) : { tags: {}, version: 0, updatedAtMs: 0 };

export const findBotUser = async (botId: string): Promise<BotUser> => parseBotUser(await readItem(botUserKey(botId)));

/** @throws WriteConflict after a concurrent change, or if the version is not `ifVersion` */
export async function changeBotUser(
  botId: string,
  before: BotUser,
  change: BotUserChange,
  { ifVersion, nowMs }: { ifVersion: number | undefined; nowMs: number },
): Promise<BotUser> {
  const { fields, maps } = change;
  if (!before.properties || !before.attributes) return putBotUser(botId, before, change, nowMs);
  const { conditions = [], ...limits } = tagConditions(maps);
  const item = await changeItem(
    botUserKey(botId),
    {
      ...limits,
      fields: { ...fields, updatedAtMs: nowMs },
      maps: { tags: maps.tags.changes, properties: maps.properties.changes, attributes: maps.attributes.changes },
      conditions: ['attribute_exists(pk)', ...conditions],
      ifVersion,
    },
    () => new WriteConflict(),
  );
  return BotUser.parse(item);
}

/** Creates the item, or adds the maps that an item of an earlier release lacks. */
async function putBotUser(
  botId: string,
  before: BotUser,
  { fields: { name, pictureUrl }, maps }: BotUserChange,
  nowMs: number,
): Promise<BotUser> {
  const after: BotUser = {
    name: name === undefined ? before.name : (name ?? undefined),
    pictureUrl: pictureUrl === undefined ? before.pictureUrl : (pictureUrl ?? undefined),
    tags: applyChanges<string>(before.tags, maps.tags.changes),
    properties: applyChanges<string>(before.properties, maps.properties.changes),
    attributes: applyChanges<string>(before.attributes, maps.attributes.changes),
    version: before.version + 1,
    updatedAtMs: nowMs,
  };
  const condition =
    before.version === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'version = :before', ExpressionAttributeValues: { ':before': before.version } };
  await write([
    { put: { Item: { ...botUserKey(botId), ...after }, ...condition }, onRefused: () => new WriteConflict() },
  ]);
  return after;
}
