import * as z from 'zod/mini';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { own } from '#shared/core/own.ts';
import { type Item, readItem, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { accountKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { ROLES, type Role } from './roles.ts';

const Account = z.object({
  id: z.string(),
  email: z.string(),
  displayName: z.optional(z.string()),
  profilePicture: z.optional(z.string()),
  createdAtMs: z.number(),
  workspacesMade: z.optional(z.number()),
  /** Copy of the member records by workspace id, so that one read authenticates and authorizes a caller. */
  memberships: z.record(
    z.string(),
    z.object({
      role: z.enum(ROLES),
      memberId: z.string(),
      /** See {@link botLimitOf}. */
      botIds: z.optional(z.array(z.string())),
      isEnding: z.optional(z.boolean()),
    }),
  ),
});
export type Account = z.infer<typeof Account> & {
  /** Set for a caller that is limited to this workspace. Never stored. */
  onlyIn?: string;
};
export const parseAccount = (item: Item): Account => Account.parse(item);

export type Membership = Account['memberships'][string];

/**
 * Bots to which a member is limited, or undefined for all bots. Only agents are limited. The ids are kept while the
 * member has another role.
 */
export const botLimitOf = ({ role, botIds }: Pick<Membership, 'role' | 'botIds'>): readonly string[] | undefined =>
  role === 'agent' ? botIds : undefined;

/** Each has 100 bytes of an item that every call reads, and up to 800 for an agent who is limited to bots. */
const MEMBERSHIPS_LIMIT = 200;

export async function findAccount(accountId: string): Promise<Account | undefined> {
  const item = await readItem(accountKey(accountId));
  return item && Account.parse(item);
}

export async function findAccounts(accountIds: readonly string[]): Promise<Map<string, Account>> {
  const items = await readItems(accountIds.map(accountKey));
  return new Map(items.flatMap(item => (item ? [[item.id as string, Account.parse(item)]] : [])));
}

/** Returns the account with its membership of one workspace, for a caller that is limited to it. */
export function onlyIn(account: Account, workspaceId: string): Account {
  const membership = own(account.memberships, workspaceId);
  return { ...account, memberships: membership ? { [workspaceId]: membership } : {}, onlyIn: workspaceId };
}

/** Reads the account of a caller again, within the caller's limit. @throws ApiError ResourceNotFound */
export async function rereadAccount({ id, onlyIn: workspaceId }: Account): Promise<Account> {
  const account = await requireAccount(id);
  return workspaceId === undefined ? account : onlyIn(account, workspaceId);
}

/** Bypasses the caller's cache. @throws ApiError ResourceNotFound */
export async function requireAccount(accountId: string): Promise<Account> {
  const account = await findAccount(accountId);
  if (!account) throw notFound('The account');
  return account;
}

export const putNewAccount = (account: Account): Write => ({
  put: { Item: { ...accountKey(account.id), ...account }, ConditionExpression: 'attribute_not_exists(pk)' },
  onRefused: () => new WriteConflict(),
});

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

export const setMembership = (
  account: Pick<Account, 'id'>,
  workspaceId: string,
  membership: { role: Role; memberId: string; botIds?: string[] | undefined },
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

/** Adds and counts the membership in a new workspace. Fails with {@link WriteConflict} after a concurrent one. */
export const addOwnWorkspace = (
  account: Pick<Account, 'id' | 'workspacesMade'>,
  workspaceId: string,
  memberId: string,
): Write => {
  const { workspacesMade: made = 0 } = account;
  const joined = setMembership(account, workspaceId, { role: 'owner', memberId }) as Extract<Write, { update: object }>;
  return {
    update: {
      ...joined.update,
      UpdateExpression: `${joined.update.UpdateExpression}, workspacesMade = :more`,
      ConditionExpression: `${joined.update.ConditionExpression} AND (workspacesMade = :made${made === 0 ? ' OR attribute_not_exists(workspacesMade)' : ''})`,
      ExpressionAttributeValues: { ...joined.update.ExpressionAttributeValues, ':made': made, ':more': made + 1 },
    },
    onRefused: existing =>
      existing && Number(existing.workspacesMade ?? 0) !== made ? new WriteConflict() : joined.onRefused(existing),
  };
};

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
