/** Users: someone who talks with the bot within one installation of an integration. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { environment } from '../environment.ts';
import { notFound } from '../http/errors.ts';
import { documents } from './client.ts';
import { botListing, userKey } from './keys.ts';
import type { Webhook } from './webhooks.ts';
import { asConflict, type Write } from './write.ts';

const User = z.object({
  id: z.string(),
  webhookId: z.string(),
  /** The name that the caller's world gave him, if it did. */
  foreignId: z.optional(z.string()),
  name: z.optional(z.string()),
  pictureUrl: z.optional(z.string()),
  profile: z.optional(z.string()),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
});
export type User = z.infer<typeof User>;
export type UserFields = { [K in 'name' | 'pictureUrl' | 'profile']?: string | undefined };

/** The installation a user belongs to: an id of another one is nobody here. */
type Installation = Pick<Webhook, 'botId' | 'webhookId'>;

export async function findUser({ botId, webhookId }: Installation, userId: string): Promise<User | undefined> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: environment.tableName, Key: userKey(botId, userId), ConsistentRead: true }),
  );
  const user = Item && User.parse(Item);
  return user?.webhookId === webhookId ? user : undefined;
}

/** When the user with this id, whichever installation's, was created; undefined when there is none. */
export async function findUserCreationMs(botId: string, userId: string): Promise<number | undefined> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: environment.tableName, Key: userKey(botId, userId), ConsistentRead: true }),
  );
  return Item && User.parse(Item).createdAtMs;
}

/** Up to 100 users in one call, in the given order; those that are gone are left out. */
export async function findUsers(botId: string, userIds: string[]): Promise<User[]> {
  const found = new Map<string, User>();
  let keys = userIds.map(id => userKey(botId, id));
  while (keys.length > 0) {
    const { Responses, UnprocessedKeys } = await documents.send(
      new BatchGetCommand({ RequestItems: { [environment.tableName]: { Keys: keys, ConsistentRead: true } } }),
    );
    for (const item of Responses?.[environment.tableName] ?? []) found.set(item.id, User.parse(item));
    keys = (UnprocessedKeys?.[environment.tableName]?.Keys ?? []) as typeof keys;
  }
  return userIds.flatMap(id => found.get(id) ?? []);
}

/** @param taken what it means that the user exists */
export const putNewUser = (botId: string, user: User, taken: Write['refused']): Write => ({
  put: {
    Item: { ...userKey(botId, user.id), ...user, ...botListing(botId, 'users', user.id) },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  refused: taken,
});

const belongsHere = ({ webhookId }: Installation) => ({
  ConditionExpression: 'webhookId = :webhookId',
  ExpressionAttributeValues: { ':webhookId': webhookId },
});

export const userMustExist = (here: Installation, userId: string, shownId: string): Write => ({
  check: { Key: userKey(here.botId, userId), ...belongsHere(here) },
  refused: () => notFound(`The user ${shownId}`),
});

export const deleteUser = (here: Installation, userId: string, shownId: string): Write => ({
  remove: { Key: userKey(here.botId, userId), ...belongsHere(here) },
  refused: () => notFound(`The user ${shownId}`),
});

/**
 * Sets the given fields one by one, so that two callers who change different fields both win.
 * @throws ApiError ResourceNotFound when the user is gone
 */
export async function updateUser(
  { botId, webhookId }: Installation,
  userId: string,
  fields: UserFields,
  { nowMs, shownId }: { nowMs: number; shownId: string },
): Promise<User> {
  const changes = Object.entries({ ...fields, updatedAtMs: nowMs }).filter(([, value]) => value !== undefined);
  try {
    const { Attributes } = await documents.send(
      new UpdateCommand({
        TableName: environment.tableName,
        Key: userKey(botId, userId),
        UpdateExpression: `SET ${changes.map(([name]) => `#${name} = :${name}`).join(', ')}`,
        ConditionExpression: 'webhookId = :webhookId',
        ExpressionAttributeNames: Object.fromEntries(changes.map(([name]) => [`#${name}`, name])),
        ExpressionAttributeValues: {
          ':webhookId': webhookId,
          ...Object.fromEntries(changes.map(([name, value]) => [`:${name}`, value])),
        },
        ReturnValues: 'ALL_NEW',
      }),
    );
    return User.parse(Attributes);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) throw notFound(`The user ${shownId}`);
    throw asConflict(error);
  }
}
