import type { BotCall } from '#shared/api/operations/platform.ts';
import { present } from '#shared/api/platform/tagInputs.ts';
import { notFound } from '#shared/core/errors.ts';
import { derivedUserId, isUserId, newUserId, resolveUserId } from '#shared/core/ids.ts';
import { changesOf } from '#shared/core/mapChanges.ts';
import {
  type CallerScope,
  canSee,
  type InstallationRef,
  installationFor,
  type ScopedCall,
  storedNames,
} from '#shared/domain/messaging/callerScope.ts';
import {
  derivedSlots,
  findTagged,
  foundRecord,
  type GetOrCreateResult,
  getOrCreate,
} from '#shared/domain/messaging/getOrCreate.ts';
import { canonicalTags, matchesTags, mayBeTagged, tagMatchOf } from '#shared/domain/messaging/tagMatch.ts';
import {
  changeUser,
  derivedTagsOfUser,
  findAnyUser,
  findUsers,
  findUsersAndTagValues,
  newUser,
  putNewUser,
  taggedUser,
  type User,
} from '#shared/storage/dynamodb/chat/users.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { tagConditions } from '#shared/storage/dynamodb/tags/tagConditions.ts';
import { type Tags, tagWrites } from '#shared/storage/dynamodb/tags/tags.ts';
import { asIntegrationFault } from './asIntegrationFault.ts';
import { changeTags } from './changeTags.ts';

type Names = Record<string, string | null>;

export interface UserInput {
  tags: Names;
  integrationName?: string | undefined;
  name?: string | undefined;
  pictureUrl?: string | undefined;
  properties?: Names | undefined;
  attributes?: Names | undefined;
}

const initialUser = (call: ScopedCall, id: string, ref: InstallationRef, input: UserInput, tags: Tags): User =>
  newUser(
    {
      id,
      ...ref,
      tags,
      name: input.name,
      pictureUrl: input.pictureUrl,
      properties: present(input.properties),
      attributes: present(input.attributes),
    },
    call.nowMs,
  );

const creationWrites = async (botId: string, user: User, areKnown?: boolean[]): Promise<Write[]> => [
  // After a concurrent creation with the same id, the retry finds the record.
  putNewUser(botId, user, () => new WriteConflict()),
  ...(await tagWrites(botId, taggedUser(user), user.tags, areKnown)),
];

export async function createUser(call: ScopedCall, input: UserInput): Promise<GetOrCreateResult<User>> {
  const tags = storedNames(call, present(input.tags));
  const ref = await installationFor(call, input.integrationName);
  const user = initialUser(call, newUserId(call.nowMs), ref, input, tags);
  return { record: user, isNew: true, writes: await creationWrites(call.botId, user) };
}

/**
 * Adds the caller's remaining input to a user that an integration created.
 * @throws ApiError Runtime if it does not exist
 */
export async function completeUser(
  call: ScopedCall,
  userId: string,
  { name, pictureUrl, properties, attributes }: Omit<UserInput, 'tags'>,
): Promise<User> {
  try {
    const fields = [name, pictureUrl, properties, attributes];
    if (fields.every(each => each === undefined)) return await requireUser(call, userId);
    return await updateUser({ ...call, ifMatch: undefined }, userId, { name, pictureUrl, properties, attributes });
  } catch (error) {
    throw asIntegrationFault(error, 'user');
  }
}

export async function getOrCreateUser(
  call: ScopedCall,
  input: UserInput & { discriminateByTags?: string[] | undefined },
): Promise<GetOrCreateResult<User>> {
  const match = tagMatchOf(call, input);
  if (!match) return createUser(call, input);

  const { botId } = call;
  const { tags, discriminators } = match;
  const ref = await installationFor(call, input.integrationName);
  const { webhookId, integration } = ref;
  const idOf = (n: number) => derivedUserId(botId, webhookId, canonicalTags(discriminators), String(n));
  const fid = discriminators[`${integration}:fid`];
  const chatId = fid ? resolveUserId(webhookId, fid) : undefined;
  const { users, areKnown } = await findUsersAndTagValues(botId, [idOf(0), ...(chatId ? [chatId] : [])], tags);
  return getOrCreate<User, { id: string; record: User | undefined }, User>({
    candidates: users,
    tagged: mayBeTagged(match, areKnown)
      ? findTagged(botId, 'user', discriminators, ids => findUsers(botId, ids))
      : undefined,
    slots: derivedSlots({ id: idOf(0), record: users[0] }, idOf, async id => ({
      id,
      record: await findAnyUser(botId, id),
    })),
    matches: user => user.webhookId === webhookId && matchesTags(match, user.tags, derivedTagsOfUser(user)),
    found: foundRecord,
    create: async ({ id }) => {
      const user = initialUser(call, id, ref, input, tags);
      return { record: user, isNew: true, writes: await creationWrites(botId, user, areKnown) };
    },
  });
}

export async function requireUser(scope: CallerScope, userId: string): Promise<User> {
  const user = isUserId(userId) ? await findAnyUser(scope.botId, userId) : undefined;
  if (!user || !canSee(scope, user)) throw notFound(`The user ${userId}`);
  return user;
}

export interface UserChanges {
  tags?: Names | undefined;
  name?: string | null | undefined;
  pictureUrl?: string | null | undefined;
  attributes?: Names | undefined;
  properties?: Names | undefined;
}

/**
 * Updates a user's maps key by key.
 * @throws ApiError ResourceNotFound, InvalidPayload, ResourceLockedConflict if `If-Match` names another version
 */
export async function updateUser(
  call: ScopedCall & Pick<BotCall<unknown>, 'ifMatch'>,
  userId: string,
  input: UserChanges,
): Promise<User> {
  const { botId, nowMs } = call;
  const before = await requireUser(call, userId);
  const about = { tagged: taggedUser(before), derived: derivedTagsOfUser(before) };
  const { tags, ifVersion } = await changeTags(call, before, about, input.tags);
  const attributes = changesOf(input.attributes ?? {}, before.attributes, { name: 'attributes' });
  const properties = changesOf(input.properties ?? {}, before.properties, { name: 'properties' });
  return changeUser(
    { botId, webhookId: before.webhookId },
    before,
    {
      fields: { name: input.name, pictureUrl: input.pictureUrl },
      maps: { tags: tags.changes, attributes: attributes.changes, properties: properties.changes },
      ...tagConditions({ tags, attributes, properties }),
      ifVersion,
    },
    {
      nowMs,
      // After a concurrent change, the retry checks `If-Match` against the new version.
      onRefused: existing => (existing ? new WriteConflict() : notFound(`The user ${userId}`)),
    },
  );
}
