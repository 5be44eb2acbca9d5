/** Users, as the bot-level operations find, make and change them. */

import { present } from '#shared/api/platform/inputs.ts';
import type { BotCall } from '#shared/api/platform/operation.ts';
import { requireVersion } from '#shared/api/platform/requireVersion.ts';
import {
  changeUser,
  derivedTagsOfUser,
  findAnyUser,
  newUser,
  parseUser,
  putNewUser,
  taggedUser,
  type User,
} from '#shared/dynamodb/chat/users.ts';
import { userKey } from '#shared/dynamodb/keys/chat.ts';
import { tagConditions } from '#shared/dynamodb/tagConditions.ts';
import { type Tags, tagWrites } from '#shared/dynamodb/tags.ts';
import { type Write, WriteConflict, write } from '#shared/dynamodb/transaction.ts';
import { invalidPayload, notFound } from '#shared/errors.ts';
import { derivedUserId, isUserId, newUserId, resolveUserId } from '#shared/ids.ts';
import { changesOf } from '#shared/mapChanges.ts';
import { type CallerScope, canSee, installationFor, storedNames } from '#shared/messaging/callerScope.ts';
import { canonicalTags, discriminatingTags, findByTags, hasTags } from '#shared/messaging/getOrCreate.ts';

type Names = Record<string, string | null>;

/** What a user is created with. */
export interface UserInput {
  tags: Names;
  integrationName?: string | undefined;
  name?: string | undefined;
  pictureUrl?: string | undefined;
  properties?: Names | undefined;
  attributes?: Names | undefined;
}

/** What is found, or is created by the writes. */
export interface GetOrCreateResult<T> {
  record: T;
  isNew: boolean;
  writes: Write[];
}

const startOf = (id: string, scope: CallerScope, input: UserInput, tags: Tags, nowMs: number): User =>
  newUser(
    {
      id,
      ...installationFor(scope, input.integrationName),
      tags,
      name: input.name,
      pictureUrl: input.pictureUrl,
      properties: present(input.properties),
      attributes: present(input.attributes),
    },
    nowMs,
  );

const writesOf = async (botId: string, user: User, areKnown?: boolean[]): Promise<Write[]> => [
  putNewUser(botId, user, () => new WriteConflict()),
  ...(await tagWrites(botId, taggedUser(user), user.tags, areKnown)),
];

/** A new user, whoever else has the same tags. */
export async function makeUser(
  call: CallerScope & { nowMs: number },
  input: UserInput,
): Promise<GetOrCreateResult<User>> {
  const tags = storedNames(call, present(input.tags));
  const user = startOf(newUserId(call.nowMs), call, input, tags, call.nowMs);
  return {
    record: user,
    isNew: true,
    writes: await writesOf(call.botId, user),
  };
}

/** The user with these tags, or a new one. */
export async function getOrMakeUser(
  call: CallerScope & { nowMs: number },
  input: UserInput & { discriminateByTags?: string[] | undefined },
): Promise<GetOrCreateResult<User>> {
  const given = present(input.tags);
  const wanted = storedNames(call, discriminatingTags(given, input.discriminateByTags));
  // Nothing tells it apart, so it is another each time.
  if (Object.keys(wanted).length === 0) return makeUser(call, input);

  const { botId, nowMs } = call;
  const tags = storedNames(call, given);
  const { webhookId, integration } = installationFor(call, input.integrationName);
  const fid = wanted[`${integration}:fid`];
  const found = await findByTags<User>(
    botId,
    'user',
    { tags, wanted },
    {
      idOf: n => derivedUserId(botId, webhookId, canonicalTags(wanted), String(n)),
      chatId: fid && resolveUserId(webhookId, fid),
      keyOf: id => userKey(botId, id),
      parse: parseUser,
      isWanted: user =>
        user.webhookId === webhookId &&
        hasTags(user.tags, wanted, input.discriminateByTags === undefined, derivedTagsOfUser(user)),
    },
  );
  if (found.record) return { record: found.record, isNew: false, writes: [] };
  const user = startOf(found.id, call, input, tags, nowMs);
  return { record: user, isNew: true, writes: await writesOf(botId, user, found.areKnown) };
}

/** @throws ApiError ResourceNotFound when there is no such user for this caller */
export async function requireUser(scope: CallerScope, userId: string): Promise<User> {
  const user = isUserId(userId) ? await findAnyUser(scope.botId, userId) : undefined;
  if (!user || !canSee(scope, user)) throw notFound(`The user ${userId}`);
  return user;
}

/** The bot's own user is what the bot is. @throws ApiError InvalidPayload */
export function refuseBotUser({ botId }: CallerScope, userId: string): void {
  if (userId === botId) {
    throw invalidPayload("This is the bot's own user: it has the bot's name, and lives as long as the bot.", 'id');
  }
}

export interface UserChanges {
  tags?: Names | undefined;
  name?: string | null | undefined;
  pictureUrl?: string | null | undefined;
  attributes?: Names | undefined;
  properties?: Names | undefined;
}

/** Changes a user, tag by tag. @throws ApiError ResourceLockedConflict when it is no more the version of `If-Match` */
export async function updateUser(
  call: Pick<BotCall<unknown>, 'ifMatch' | 'nowMs'> & CallerScope,
  userId: string,
  input: UserChanges,
): Promise<User> {
  const { botId, nowMs, ifMatch } = call;
  const before = await requireUser(call, userId);
  const ifVersion = requireVersion(ifMatch, before.version);
  const tags = changesOf(storedNames(call, input.tags ?? {}), before.tags, {
    name: 'tags',
    derived: derivedTagsOfUser(before),
  });
  await write(await tagWrites(botId, taggedUser(before), tags.added));
  const attributes = changesOf(input.attributes ?? {}, before.attributes, { name: 'attributes' });
  const properties = changesOf(input.properties ?? {}, before.properties, { name: 'properties' });
  return changeUser(
    { botId, webhookId: before.webhookId },
    userId,
    {
      fields: { name: input.name, pictureUrl: input.pictureUrl },
      maps: { tags: tags.changes, attributes: attributes.changes, properties: properties.changes },
      ...tagConditions({ tags, attributes, properties }),
      ifVersion,
    },
    {
      nowMs,
      onRefused: existing => {
        if (!existing) return notFound(`The user ${userId}`);
        // Somebody else's change came between: if it is not what the caller insists on, that comes out when it runs again.
        return new WriteConflict();
      },
    },
  );
}
