/** Users: people who talk with the bot through one installation of an integration. */
import * as z from 'zod/mini';
import { notFound } from '#shared/core/errors.ts';
import { isUserId, newUserGeneration } from '#shared/core/ids.ts';
import { userKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { botListing, timedSk } from '#shared/storage/dynamodb/keys/lists.ts';
import { botList, type Range } from '#shared/storage/dynamodb/lists.ts';
import { type Item, readItem, readItems } from '#shared/storage/dynamodb/query.ts';
import { derivedTags, type Tagged, Tags, tagValueKeys } from '#shared/storage/dynamodb/tags.ts';
import { tryWrite, type Write } from '#shared/storage/dynamodb/transaction.ts';
import { changeItem, type ItemChange } from '#shared/storage/dynamodb/update.ts';
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
  /** `userData` of the webchat client, as JSON. */
  data: z.optional(z.string()),
  tags: Tags,
  properties: Tags,
  attributes: Tags,
  /** Incremented by each change that a caller makes. */
  version: z.number(),
  /** Differs in each life of an id. Keys and participations of an earlier life do not belong to this user. */
  generation: z.string(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  /** Set once the user is being deleted: only the deletion still sees them. */
  endingAtMs: z.optional(z.number()),
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

/** @returns undefined for a user that is being deleted */
export function parseUser(item: Item | undefined): User | undefined {
  const user = item && User.parse(item);
  return user?.endingAtMs === undefined ? user : undefined;
}

/** The installation a user belongs to; through any other one the user does not exist. */
type Installation = Pick<Webhook, 'botId' | 'webhookId'>;

/** A user by id, and in one life only if its generation is given. */
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

/**
 * The user with this id, of whichever installation. Any text may be asked for: the bot's own id stands in some records.
 */
export const findAnyUser = async (botId: string, userId: string): Promise<User | undefined> =>
  isUserId(userId) ? parseUser(await readItem(userKey(botId, userId))) : undefined;

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

const isThere = ({ webhookId }: Installation, { generation }: UserRef) => ({
  ConditionExpression: `webhookId = :webhookId AND attribute_not_exists(endingAtMs)${
    generation === undefined ? '' : ' AND generation = :generation'
  }`,
  ExpressionAttributeValues: {
    ':webhookId': webhookId,
    ...(generation === undefined ? {} : { ':generation': generation }),
  },
});

export const userMustExist = (here: Installation, user: UserRef, shownId: string): Write => ({
  check: { Key: userKey(here.botId, user.id), ...isThere(here, user) },
  onRefused: () => notFound(`The user ${shownId}`),
});

/** A deletion under way. */
export type EndingUser = Pick<User, 'id' | 'generation'> & { endingAtMs: number };

/**
 * Begins the deletion of a user: from now on they are in no list, not found, and nothing can be added to them. The
 * stream triggers the sweep, which finishes a deletion that was interrupted.
 */
export async function markUserEnding(
  here: Installation,
  user: UserRef,
  { shownId, nowMs }: { shownId: string; nowMs: number },
): Promise<EndingUser> {
  const { ConditionExpression, ExpressionAttributeValues } = isThere(here, user);
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

/** Whether this deletion is still under way. */
export async function isStillEnding(botId: string, { id, generation, endingAtMs }: EndingUser): Promise<boolean> {
  const item = await readItem(userKey(botId, id));
  return item?.generation === generation && item.endingAtMs === endingAtMs;
}

/** Ends the deletion. Without effect if it has ended already. */
export async function removeEndingUser(botId: string, { id, generation, endingAtMs }: EndingUser): Promise<void> {
  await tryWrite({
    remove: {
      Key: userKey(botId, id),
      ConditionExpression: 'generation = :generation AND endingAtMs = :endingAtMs',
      ExpressionAttributeValues: { ':generation': generation, ':endingAtMs': endingAtMs },
    },
  });
}

/**
 * Changes the fields that callers can change.
 * @throws the error that `onRefused` returns when the user is gone or a condition of the change fails
 */
export async function changeUser(
  here: Installation,
  user: UserRef,
  { fields, conditions = [], values, ...change }: ItemChange,
  { nowMs, onRefused }: { nowMs: number; onRefused: (existing: User | undefined) => Error },
): Promise<User> {
  const { ConditionExpression, ExpressionAttributeValues } = isThere(here, user);
  const item = await changeItem(
    userKey(here.botId, user.id),
    {
      ...change,
      fields: { ...fields, updatedAtMs: nowMs, gsi2Sk: timedSk(nowMs, user.id) },
      conditions: [ConditionExpression, ...conditions],
      values: { ...values, ...ExpressionAttributeValues },
    },
    existing => {
      const isMeant = user.generation === undefined || existing?.generation === user.generation;
      return onRefused(existing?.webhookId === here.webhookId && isMeant ? parseUser(existing) : undefined);
    },
  );
  return User.parse(item);
}
