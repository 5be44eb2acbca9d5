import * as z from 'zod/mini';
import { notFound } from '#shared/core/errors.ts';
import { derivedUserId, isUserId, newUserGeneration } from '#shared/core/ids.ts';
import { type Item, readItem, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { changeItem, type ItemChange } from '#shared/storage/dynamodb/engine/update.ts';
import { userKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { botListing, timedSk } from '#shared/storage/dynamodb/keys/lists.ts';
import { splitPk } from '#shared/storage/dynamodb/keys/table.ts';
import { botList, type Range } from '#shared/storage/dynamodb/lists/lists.ts';
import { derivedTags, type Tagged, Tags, tagValueKeys } from '#shared/storage/dynamodb/tags/tags.ts';
import { Contact } from './contact.ts';
import type { Webhook } from './webhooks.ts';

const User = z.object({
  id: z.string(),
  webhookId: z.string(),
  integration: z.string(),
  foreignId: z.optional(z.string()),
  name: z.optional(z.string()),
  pictureUrl: z.optional(z.string()),
  profile: z.optional(z.string()),
  data: z.optional(z.string()),
  tags: Tags,
  properties: Tags,
  attributes: Tags,
  contact: z.optional(Contact),
  /** The account of the member whom the user represents, set only by the platform. */
  memberAccountId: z.optional(z.string()),
  /** The person of another channel whom the user represents, set only by the platform. */
  personId: z.optional(z.string()),
  version: z.number(),
  /** Distinguishes re-created users with the same id. Keys and participations of other generations are invalid. */
  generation: z.string(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  endingAtMs: z.optional(z.number()),
  currentConversationId: z.optional(z.string()),
});
export type User = z.infer<typeof User>;

export const taggedUser = ({ id, createdAtMs }: Pick<User, 'id' | 'createdAtMs'>): Tagged => ({
  kind: 'user',
  id,
  sortKey: timedSk(createdAtMs, id),
  shardBy: id,
});

export const derivedTagsOfUser = ({ integration, foreignId, profile }: User): Tags =>
  derivedTags(integration, { fid: foreignId, profile });

export const tagsOfUser = (user: User): Tags => ({ ...user.tags, ...derivedTagsOfUser(user) });

export const newUser = (
  start: Pick<User, 'id' | 'webhookId' | 'integration'> &
    Partial<Omit<User, 'version' | 'generation' | 'createdAtMs' | 'updatedAtMs' | 'endingAtMs'>> & {
      generation?: string | undefined;
    },
  nowMs: number,
): User => ({
  tags: {},
  properties: {},
  attributes: {},
  ...start,
  generation: start.generation ?? newUserGeneration(nowMs),
  version: 1,
  createdAtMs: nowMs,
  updatedAtMs: nowMs,
});

export function parseUser(item: Item | undefined): User | undefined {
  const user = item && withStandIn(User.parse(item), item);
  return user?.endingAtMs === undefined ? user : undefined;
}

/** Returns true for a user who represents a person outside of the chat. Such users have no keys. */
export const isStandIn = ({ memberAccountId, personId }: Pick<User, 'memberAccountId' | 'personId'>): boolean =>
  memberAccountId !== undefined || personId !== undefined;

/** The name that members gave the user, or the user's own. */
export const nameOfUser = ({ contact, name }: Pick<User, 'contact' | 'name'>): string | undefined =>
  contact?.name ?? name;

/**
 * Earlier releases stored the represented person in the attributes, which end users can write. The derived id proves
 * the value, because callers cannot choose derived ids.
 */
function withStandIn(user: User, { pk }: Item): User {
  const { memberAccountId, standsFor, ...attributes } = user.attributes;
  const { botId } = splitPk(pk);
  const isDerivedFrom = (kind: 'member' | 'person', id: string | undefined) =>
    id !== undefined && user.id === derivedUserId(botId, user.webhookId, kind, id);
  if (isDerivedFrom('member', memberAccountId)) return { ...user, memberAccountId, attributes };
  return isDerivedFrom('person', standsFor) ? { ...user, personId: standsFor, attributes } : user;
}

/** Installation of a user. The user does not exist in other installations. */
type Installation = Pick<Webhook, 'botId' | 'webhookId'>;

export interface UserRef {
  id: string;
  generation?: string | undefined;
}

export async function findUser(
  { botId, webhookId }: Installation,
  { id, generation }: UserRef,
): Promise<User | undefined> {
  const user = await findAnyUser(botId, id);
  const isMeant = user?.webhookId === webhookId && (generation === undefined || generation === user.generation);
  return isMeant ? user : undefined;
}

/** Finds a user of any installation. Accepts any text, because some records contain the bot's id. */
export const findAnyUser = async (botId: string, userId: string): Promise<User | undefined> =>
  isUserId(userId) ? parseUser(await readItem(userKey(botId, userId))) : undefined;

export const findUsers = async (botId: string, userIds: readonly string[]): Promise<(User | undefined)[]> =>
  (await readItems(userIds.map(id => userKey(botId, id)))).map(parseUser);

export const findUsersOfBots = async (
  refs: readonly { botId: string; userId: string }[],
): Promise<(User | undefined)[]> =>
  (await readItems(refs.map(({ botId, userId }) => userKey(botId, userId)))).map(parseUser);

export async function findUsersAndTagValues(
  botId: string,
  userIds: readonly string[],
  tags: Tags,
): Promise<{ users: (User | undefined)[]; areKnown: boolean[] }> {
  const items = await readItems([...userIds.map(id => userKey(botId, id)), ...tagValueKeys(botId, 'user', tags)]);
  return {
    users: items.slice(0, userIds.length).map(parseUser),
    areKnown: items.slice(userIds.length).map(item => item !== undefined),
  };
}

export type UserTimeField = 'createdAt' | 'updatedAt';

export const userTimeMs = (user: Pick<User, 'createdAtMs' | 'updatedAtMs'>, by: UserTimeField) =>
  by === 'createdAt' ? user.createdAtMs : user.updatedAtMs;

export const userSortKey = (user: Pick<User, 'id' | 'createdAtMs' | 'updatedAtMs'>, by: UserTimeField) =>
  timedSk(userTimeMs(user, by), user.id);

export async function* listUsers(
  botId: string,
  by: UserTimeField,
  range: Range,
): AsyncGenerator<{ sortKey: string; record: User | undefined }> {
  for await (const { sortKey, item } of botList(botId, 'users', by === 'createdAt' ? 'gsi1' : 'gsi2', range)) {
    yield { sortKey, record: parseUser(item) };
  }
}

export const putNewUser = (botId: string, user: User, onRefused: Write['onRefused']): Write => ({
  put: {
    Item: { ...userKey(botId, user.id), ...user, ...botListing(botId, 'users', user) },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  onRefused,
});

/** Conditions of a write: the user exists in the installation and was not created again. */
export const userConditions = ({ webhookId }: Installation, { generation }: UserRef) => ({
  ConditionExpression: `webhookId = :webhookId AND attribute_not_exists(endingAtMs)${
    generation === undefined ? '' : ' AND generation = :generation'
  }`,
  ExpressionAttributeValues: {
    ':webhookId': webhookId,
    ...(generation === undefined ? {} : { ':generation': generation }),
  },
});

/** Returns true for an item that meets {@link userConditions}. */
export const isSameUser = ({ webhookId }: Installation, { generation }: UserRef, existing: Item | undefined): boolean =>
  existing?.webhookId === webhookId &&
  existing.endingAtMs === undefined &&
  (generation === undefined || existing.generation === generation);

export const userMustExist = (here: Installation, user: UserRef, shownId: string): Write => ({
  check: { Key: userKey(here.botId, user.id), ...userConditions(here, user) },
  onRefused: () => notFound(`The user ${shownId}`),
});

export type EndingUser = Pick<User, 'id' | 'generation'> & { endingAtMs: number };

/** Starts the deletion of a user, who is hidden immediately. The stream triggers the sweep. */
export async function markUserEnding(
  here: Installation,
  user: UserRef,
  { shownId, nowMs }: { shownId: string; nowMs: number },
): Promise<EndingUser> {
  const { ConditionExpression, ExpressionAttributeValues } = userConditions(here, user);
  const item = await changeItem(
    userKey(here.botId, user.id),
    {
      fields: { endingAtMs: nowMs, gsiPk: null, gsi1Sk: null, gsi2Sk: null },
      conditions: [ConditionExpression],
      values: ExpressionAttributeValues,
    },
    () => notFound(`The user ${shownId}`),
  );
  return { id: user.id, generation: User.parse(item).generation, endingAtMs: nowMs };
}

export async function isStillEnding(botId: string, { id, generation, endingAtMs }: EndingUser): Promise<boolean> {
  const item = await readItem(userKey(botId, id));
  return item?.generation === generation && item.endingAtMs === endingAtMs;
}

export async function removeEndingUser(botId: string, { id, generation, endingAtMs }: EndingUser): Promise<void> {
  await tryWrite({
    remove: {
      Key: userKey(botId, id),
      ConditionExpression: 'generation = :generation AND endingAtMs = :endingAtMs',
      ExpressionAttributeValues: { ':generation': generation, ':endingAtMs': endingAtMs },
    },
  });
}

export async function changeUser(
  here: Installation,
  user: UserRef,
  { fields, conditions = [], values, ...change }: ItemChange,
  { nowMs, onRefused }: { nowMs: number; onRefused: (existing: User | undefined) => Error },
): Promise<User> {
  const { ConditionExpression, ExpressionAttributeValues } = userConditions(here, user);
  const item = await changeItem(
    userKey(here.botId, user.id),
    {
      ...change,
      fields: { ...fields, updatedAtMs: nowMs, gsi2Sk: timedSk(nowMs, user.id) },
      conditions: [ConditionExpression, ...conditions],
      values: { ...values, ...ExpressionAttributeValues },
    },
    existing => onRefused(isSameUser(here, user, existing) ? parseUser(existing) : undefined),
  );
  return withStandIn(User.parse(item), item);
}
