import * as z from 'zod/mini';
import { type Caller, isOfCaller } from '#shared/api/caller.ts';
import { issueUserKey, reservesIds, verifyUserKey } from '#shared/api/chat/userKey.ts';
import type { UserCall } from '#shared/api/operations/chat.ts';
import { present } from '#shared/api/platform/tagInputs.ts';
import { ApiError, invalidPayload, notFound } from '#shared/core/errors.ts';
import { newUserId, resolveUserId } from '#shared/core/ids.ts';
import { changesOf } from '#shared/core/mapChanges.ts';
import { own } from '#shared/core/own.ts';
import { changeUser, newUser, putNewUser, type User, type UserRef } from '#shared/storage/dynamodb/chat/users.ts';
import type { Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { tagConditions } from '#shared/storage/dynamodb/tags/tagConditions.ts';
import { userDataText, userFields, webchatUserFields } from './chatInputs.ts';

const KEY_ENDED = 'The user of this key was deleted. Create a user to get a new key.';

const UserFields = z.object({ ...userFields, ...webchatUserFields });
export type UserFields = z.infer<typeof UserFields>;

export function startUser(
  { webhook, botId, caller, nowMs }: Pick<UserCall<unknown>, 'webhook' | 'botId' | 'caller' | 'nowMs'>,
  fields: UserFields,
): { user: User; write: Write } {
  const { webhookId, integration } = webhook;
  const { userId: id, foreignId, generation } = caller;
  const user = newUser({ id, foreignId, webhookId, integration, generation, ...storedFields(fields) }, nowMs);
  const write = putNewUser(botId, user, existing => {
    if (existing?.webhookId !== webhook.webhookId) {
      return new ApiError('Forbidden', `The user ${caller.shownId} belongs to another integration.`);
    }
    const isOthers = existing.endingAtMs === undefined && !isOfCaller(caller, String(existing.generation));
    if (isOthers) return new ApiError('Unauthorized', KEY_ENDED);
    // The user was created concurrently or is being deleted. The retry finds or creates the user.
    return new WriteConflict();
  });
  return { user, write };
}

/**
 * @throws ApiError Unauthorized if the bot's owner signs the keys; InvalidPayload for an id that the owner may assign
 */
export function signUp(
  { webhook, isAdmin }: { webhook: Webhook; isAdmin: boolean },
  { id: foreignId, ...fields }: UserFields & { id?: string | undefined },
  nowMs: number,
): { user: User; caller: Caller } {
  if (!webhook.isSignUpOpen && !isAdmin) {
    throw new ApiError('Unauthorized', "The bot's owner signs user keys. Call getOrCreateUser with such a key.");
  }
  // Otherwise the caller could read data of the owner's user with this id.
  if (foreignId !== undefined && reservesIds(webhook) && !isAdmin) {
    throw invalidPayload(
      "The bot's owner assigns user ids. Omit the id, or send the installation's adminSecret in x-admin-secret.",
      'id',
    );
  }
  const { webhookId, integration } = webhook;
  const id = (foreignId && resolveUserId(webhookId, foreignId)) || newUserId(nowMs);
  const user = newUser({ id, foreignId, webhookId, integration, ...storedFields(fields) }, nowMs);
  const { generation } = user;
  const shownId = foreignId ?? id;
  const key = issueUserKey(webhook, { id: shownId, generation, idBy: isAdmin ? 'owner' : undefined });
  return { user, caller: verifyUserKey(webhook, key) };
}

/** @param before the current user if attributes change */
export async function changeFields(
  { webhook, caller, nowMs }: Pick<UserCall<unknown>, 'webhook' | 'caller' | 'nowMs'>,
  before: UserRef & Partial<Pick<User, 'attributes'>>,
  { name, pictureUrl, profile, userData, attributes }: UserFields,
): Promise<User> {
  const changes = changesOf(attributes ?? {}, before.attributes ?? {}, { name: 'attributes' });
  return changeUser(
    webhook,
    before,
    {
      fields: { name, pictureUrl, profile, data: userDataText(userData) },
      maps: { attributes: changes.changes },
      ...tagConditions({ attributes: changes }),
    },
    {
      nowMs,
      // For an existing user, a concurrent call reached the limit of attributes.
      onRefused: existing => (existing ? new WriteConflict() : notFound(`The user ${caller.shownId}`)),
    },
  );
}

/** Writes only if a field differs. */
export async function changeIfDifferent(
  call: Parameters<typeof changeFields>[0],
  found: User,
  fields: UserFields,
): Promise<User> {
  const { name, pictureUrl, profile, userData, attributes = {} } = fields;
  const plain = { name, pictureUrl, profile, data: userDataText(userData) };
  const isChanged =
    Object.entries(plain).some(
      ([field, value]) => value !== undefined && (found[field as keyof User] ?? null) !== value,
    ) || Object.entries(attributes).some(([key, value]) => (own(found.attributes, key) ?? '') !== (value ?? ''));
  return isChanged ? changeFields(call, found, fields) : found;
}

const storedFields = ({ name, pictureUrl, profile, userData, attributes }: UserFields) => ({
  name,
  pictureUrl,
  profile,
  data: userDataText(userData) ?? undefined,
  attributes: present(attributes ?? {}),
});
