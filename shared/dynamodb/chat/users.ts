/** Users: people who talk with the bot through one installation of an integration. */
import * as z from 'zod/mini';
import { userKey } from '#shared/dynamodb/keys/chat.ts';
import { botListing, timedSk } from '#shared/dynamodb/keys/lists.ts';
import { botList, type Range } from '#shared/dynamodb/lists.ts';
import { type Item, readItem, readItems } from '#shared/dynamodb/query.ts';
import { derivedTags, type Tagged, Tags, tagValueKeys } from '#shared/dynamodb/tags.ts';
import type { Write } from '#shared/dynamodb/transaction.ts';
import { changeItem, type ItemChange } from '#shared/dynamodb/update.ts';
import { notFound } from '#shared/errors.ts';
import type { Webhook } from './webhooks.ts';

const User = z.object({
  id: z.string(),
  webhookId: z.string(),
  /** The bot's name for the integration; empty without one. */
  integration: z.string(),
  /** The id chosen by the chat client, if it chose one. */
  foreignId: z.optional(z.string()),
  name: z.optional(z.string()),
  pictureUrl: z.optional(z.string()),
  profile: z.optional(z.string()),
  tags: Tags,
  properties: Tags,
  attributes: Tags,
  /** Incremented by each change that a caller makes. */
  version: z.number(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
});
export type User = z.infer<typeof User>;

/** The user's entry in tag indexes. */
export const taggedUser = ({ id, createdAtMs }: Pick<User, 'id' | 'createdAtMs'>): Tagged => ({
  kind: 'user',
  id,
  sortKey: timedSk(createdAtMs, id),
  shardBy: id,
});

export const derivedTagsOfUser = ({ integration, foreignId, profile }: User): Tags =>
  derivedTags(integration, { fid: foreignId, profile });

export const tagsOfUser = (user: User): Tags => ({ ...user.tags, ...derivedTagsOfUser(user) });

/** A user in the initial state, not yet written. */
export const newUser = (
  start: Pick<User, 'id' | 'webhookId' | 'integration'> &
    Partial<Omit<User, 'version' | 'createdAtMs' | 'updatedAtMs'>>,
  nowMs: number,
): User => ({
  tags: {},
  properties: {},
  attributes: {},
  ...start,
  version: 1,
  createdAtMs: nowMs,
  updatedAtMs: nowMs,
});

export const parseUser = (item: Item | undefined): User | undefined => item && User.parse(item);

/** The installation a user belongs to; through any other one the user does not exist. */
type Installation = Pick<Webhook, 'botId' | 'webhookId'>;

export async function findUser({ botId, webhookId }: Installation, userId: string): Promise<User | undefined> {
  const user = await findAnyUser(botId, userId);
  return user?.webhookId === webhookId ? user : undefined;
}

/** The user with this id, of whichever installation. */
export const findAnyUser = async (botId: string, userId: string): Promise<User | undefined> =>
  parseUser(await readItem(userKey(botId, userId)));

/** In the given order; undefined where there is none. */
export const findUsers = async (botId: string, userIds: readonly string[]): Promise<(User | undefined)[]> =>
  (await readItems(userIds.map(id => userKey(botId, id)))).map(parseUser);

/** User ids and, in the same read, for each tag whether its value was ever used by a user. */
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

/** The user's position in {@link listUsers}. */
export const userSortKey = (user: Pick<User, 'id' | 'createdAtMs' | 'updatedAtMs'>, by: UserTimeField) =>
  timedSk(userTimeMs(user, by), user.id);

/** All users of a bot. */
export async function* listUsers(
  botId: string,
  by: UserTimeField,
  range: Range,
): AsyncGenerator<{ sortKey: string; record: User | undefined }> {
  for await (const { sortKey, item } of botList(botId, 'users', by === 'createdAt' ? 'gsi1' : 'gsi2', range)) {
    yield { sortKey, record: parseUser(item) };
  }
}

/** @param onRefused the error for an id that is in use */
export const putNewUser = (botId: string, user: User, onRefused: Write['onRefused']): Write => ({
  put: {
    Item: { ...userKey(botId, user.id), ...user, ...botListing(botId, 'users', user) },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  onRefused,
});

const belongsHere = ({ webhookId }: Installation) => ({
  ConditionExpression: 'webhookId = :webhookId',
  ExpressionAttributeValues: { ':webhookId': webhookId },
});

export const userMustExist = (here: Installation, userId: string, shownId: string): Write => ({
  check: { Key: userKey(here.botId, userId), ...belongsHere(here) },
  onRefused: () => notFound(`The user ${shownId}`),
});

export const deleteUser = (here: Installation, userId: string, shownId: string): Write => ({
  remove: { Key: userKey(here.botId, userId), ...belongsHere(here) },
  onRefused: () => notFound(`The user ${shownId}`),
});

/**
 * Changes the fields that callers can change.
 * @throws the error that `onRefused` returns when the user is gone or a condition of the change fails
 */
export async function changeUser(
  { botId, webhookId }: Installation,
  userId: string,
  { fields, conditions = [], values, ...change }: ItemChange,
  { nowMs, onRefused }: { nowMs: number; onRefused: (existing: User | undefined) => Error },
): Promise<User> {
  const item = await changeItem(
    userKey(botId, userId),
    {
      ...change,
      fields: { ...fields, updatedAtMs: nowMs, gsi2Sk: timedSk(nowMs, userId) },
      conditions: [belongsHere({ botId, webhookId }).ConditionExpression, ...conditions],
      values: { ...values, ':webhookId': webhookId },
    },
    existing => onRefused(existing?.webhookId === webhookId ? parseUser(existing) : undefined),
  );
  return User.parse(item);
}
