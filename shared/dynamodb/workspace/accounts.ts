/** Accounts: people who administer workspaces. */
import * as z from 'zod/mini';
import { ROLES, type Role } from '#shared/api/auth/permissions.ts';
import { accountKey } from '#shared/dynamodb/keys/workspace.ts';
import { type Item, readItem } from '#shared/dynamodb/query.ts';
import { type Write, WriteConflict } from '#shared/dynamodb/transaction.ts';
import { ApiError, notFound } from '#shared/errors.ts';

const Account = z.object({
  id: z.string(),
  email: z.string(),
  displayName: z.optional(z.string()),
  profilePicture: z.optional(z.string()),
  createdAtMs: z.number(),
  /** The workspaces he is a member of. Kept here too, so that one read says who he is and what he may. */
  memberships: z.record(
    z.string(),
    z.object({
      role: z.enum(ROLES),
      memberId: z.string(),
      /** The workspace is being deleted: it can be looked at, and that is all. */
      isEnding: z.optional(z.boolean()),
    }),
  ),
});
export type Account = z.infer<typeof Account>;
export const parseAccount = (item: Item): Account => Account.parse(item);

/** A membership takes 100 bytes of an item of which every call is told. */
const MEMBERSHIPS_LIMIT = 200;

export async function findAccount(accountId: string): Promise<Account | undefined> {
  const item = await readItem(accountKey(accountId));
  return item && Account.parse(item);
}

export const putNewAccount = (account: Account): Write => ({
  put: { Item: { ...accountKey(account.id), ...account }, ConditionExpression: 'attribute_not_exists(pk)' },
  onRefused: () => new WriteConflict(),
});

/** @param fields an empty text removes one */
export const changeAccount = (
  accountId: string,
  fields: { [K in 'displayName' | 'profilePicture']?: string | undefined },
): Write => {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const sets = given.filter(([, value]) => value !== '').map(([name]) => `${name} = :${name}`);
  const removals = given.filter(([, value]) => value === '').map(([name]) => name);
  return {
    update: {
      Key: accountKey(accountId),
      UpdateExpression: [
        ['SET id = id', ...sets].join(', '),
        removals.length > 0 ? `REMOVE ${removals.join(', ')}` : '',
      ].join(' '),
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues:
        sets.length > 0
          ? Object.fromEntries(given.filter(([, value]) => value !== '').map(([name, value]) => [`:${name}`, value]))
          : undefined,
    },
    onRefused: () => notFound('The account'),
  };
};

/** He becomes a member, or his role changes. Refused when the account is gone, or has too many memberships. */
export const setMembership = (
  account: Pick<Account, 'id'>,
  workspaceId: string,
  membership: { role: Role; memberId: string },
): Write => ({
  update: {
    Key: accountKey(account.id),
    UpdateExpression: 'SET memberships.#workspace = :membership',
    ConditionExpression:
      'attribute_exists(pk) AND (attribute_exists(memberships.#workspace) OR size(memberships) < :limit)',
    ExpressionAttributeNames: { '#workspace': workspaceId },
    ExpressionAttributeValues: { ':membership': membership, ':limit': MEMBERSHIPS_LIMIT },
  },
  onRefused: existing =>
    existing
      ? new ApiError('LimitExceeded', `An account can be in at most ${MEMBERSHIPS_LIMIT} workspaces.`)
      : notFound('The account'),
});

/** From now on he only sees that the workspace is being deleted. */
export const markEnding = (accountId: string, workspaceId: string): Write => ({
  update: {
    Key: accountKey(accountId),
    UpdateExpression: 'SET memberships.#workspace.isEnding = :yes',
    ConditionExpression: 'attribute_exists(memberships.#workspace)',
    ExpressionAttributeNames: { '#workspace': workspaceId },
    ExpressionAttributeValues: { ':yes': true },
  },
  onRefused: () => new WriteConflict(),
});

export const endMembership = (accountId: string, workspaceId: string): Write => ({
  update: {
    Key: accountKey(accountId),
    UpdateExpression: 'REMOVE memberships.#workspace',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#workspace': workspaceId },
  },
  onRefused: () => new WriteConflict(),
});
