/** Users: someone who talks with the bot within one installation of an integration. */
import * as z from 'zod/mini';
import { userKey } from '#shared/dynamodb/keys/chat.ts';
import { botListing, timedSk } from '#shared/dynamodb/keys/lists.ts';
import { type Item, readItem, readItems } from '#shared/dynamodb/query.ts';
import { derivedTags, type Tagged, Tags } from '#shared/dynamodb/tags.ts';
import type { Write } from '#shared/dynamodb/transaction.ts';
import { changeItem, type ItemChange } from '#shared/dynamodb/update.ts';
import { notFound } from '#shared/errors.ts';
import type { Webhook } from './webhooks.ts';

const User = z.object({
  id: z.string(),
  webhookId: z.string(),
  /** What the bot calls the integration that he comes through; empty if through none. */
  integration: z.string(),
  /** The name that the caller's world gave him, if it did. */
  foreignId: z.optional(z.string()),
  name: z.optional(z.string()),
  pictureUrl: z.optional(z.string()),
  profile: z.optional(z.string()),
  tags: Tags,
  properties: Tags,
  attributes: Tags,
  /** Counts the changes that callers made. */
  version: z.number(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
});
export type User = z.infer<typeof User>;

/** By what he is found by his tags. */
export const taggedUser = ({ id, createdAtMs }: Pick<User, 'id' | 'createdAtMs'>): Tagged => ({
  kind: 'user',
  id,
  sortKey: timedSk(createdAtMs, id),
  shardBy: id,
});

export const derivedTagsOfUser = ({ integration, foreignId, profile }: User): Tags =>
  derivedTags(integration, { fid: foreignId, profile });

export const tagsOfUser = (user: User): Tags => ({ ...user.tags, ...derivedTagsOfUser(user) });

/** A user at his beginning. */
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

/** The installation a user belongs to: an id of another one is nobody here. */
type Installation = Pick<Webhook, 'botId' | 'webhookId'>;

export async function findUser({ botId, webhookId }: Installation, userId: string): Promise<User | undefined> {
  const user = await findAnyUser(botId, userId);
  return user?.webhookId === webhookId ? user : undefined;
}

/** The user with this id, whichever installation's. */
export const findAnyUser = async (botId: string, userId: string): Promise<User | undefined> =>
  parseUser(await readItem(userKey(botId, userId)));

/** In the given order; undefined where there is none. */
export const findUsers = async (botId: string, userIds: readonly string[]): Promise<(User | undefined)[]> =>
  (await readItems(userIds.map(id => userKey(botId, id)))).map(parseUser);

/** @param taken what it means that the user exists */
export const putNewUser = (botId: string, user: User, taken: Write['onRefused']): Write => ({
  put: {
    Item: { ...userKey(botId, user.id), ...user, ...botListing(botId, 'users', user) },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  onRefused: taken,
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
 * Changes what callers can change of a user.
 * @throws what `refused` makes of it when he is gone or a condition of the change does not hold
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
