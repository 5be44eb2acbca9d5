import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { hashText, isWorkspaceId } from '#shared/core/ids.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { type Item, readItem, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  handleKey,
  memberKey,
  memberPrefix,
  workspaceKey,
  workspacePk,
} from '#shared/storage/dynamodb/keys/workspace.ts';
import { ROLES } from './roles.ts';

const Workspace = z.object({
  id: z.string(),
  name: z.string(),
  /** Account that created it, which never changes (docs/api/admin.md#roles). */
  ownerId: z.string(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  /** Owners who have accepted. */
  ownerCount: z.number(),
  spendingLimit: z.optional(z.number()),
  about: z.optional(z.string()),
  profilePicture: z.optional(z.string()),
  contactEmail: z.optional(z.string()),
  website: z.optional(z.string()),
  socialAccounts: z.optional(z.array(z.string())),
  isPublic: z.optional(z.boolean()),
  handle: z.optional(z.string()),
  /** Set while the workspace's data is being deleted. The item is deleted last. */
  deletedAtMs: z.optional(z.number()),
});
export type Workspace = z.infer<typeof Workspace>;
export const parseWorkspace = (item: Item): Workspace => Workspace.parse(item);

/** Accepts any text, because callers supply ids and a function may only read workspace partitions. */
export async function findWorkspace(workspaceId: string): Promise<Workspace | undefined> {
  if (!isWorkspaceId(workspaceId)) return undefined;
  const item = await readItem(workspaceKey(workspaceId));
  return item && Workspace.parse(item);
}

export async function findWorkspaces(workspaceIds: readonly string[]): Promise<Workspace[]> {
  const items = await readItems(workspaceIds.map(workspaceKey));
  return items.flatMap(item => (item ? [Workspace.parse(item)] : []));
}

export const putNewWorkspace = (workspace: Workspace): Write => ({
  put: { Item: { ...workspaceKey(workspace.id), ...workspace }, ConditionExpression: 'attribute_not_exists(pk)' },
  onRefused: () => new WriteConflict(),
});

const IS_LIVE = 'attribute_exists(pk) AND attribute_not_exists(deletedAtMs)';
const gone = () => notFound('The workspace');

/** Must be part of every transaction that adds to a workspace. */
export const workspaceMustExist = (workspaceId: string): Write => ({
  check: { Key: workspaceKey(workspaceId), ConditionExpression: IS_LIVE },
  onRefused: gone,
});

type Settings = Partial<Omit<Workspace, 'id' | 'ownerId' | 'createdAtMs' | 'ownerCount' | 'deletedAtMs'>>;

export const changeWorkspace = (before: Workspace, fields: Settings): Write => {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    update: {
      Key: workspaceKey(before.id),
      UpdateExpression: `SET ${given.map(([name]) => `#${name} = :${name}`).join(', ')}`,
      ConditionExpression: `${IS_LIVE} AND updatedAtMs = :before`,
      ExpressionAttributeNames: Object.fromEntries(given.map(([name]) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ':before': before.updatedAtMs,
        ...Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
      },
    },
    onRefused: existing => (existing && existing.deletedAtMs === undefined ? new WriteConflict() : gone()),
  };
};

export const claimHandle = (handle: string, workspaceId: string): Write => ({
  put: {
    Item: { ...handleKey(handle), workspaceId },
    ConditionExpression: 'attribute_not_exists(pk) OR workspaceId = :workspaceId',
    ExpressionAttributeValues: { ':workspaceId': workspaceId },
  },
  onRefused: () => new ApiError('AlreadyExists', `The handle ${handle} is taken.`),
});

export async function findHandleOwners(handles: readonly string[]): Promise<Map<string, string>> {
  const items = await readItems(handles.map(handleKey));
  return new Map(handles.flatMap((handle, i) => (items[i] ? [[handle, String(items[i].workspaceId)]] : [])));
}

export const releaseHandle = (handle: string, workspaceId: string): Write => ({
  remove: {
    Key: handleKey(handle),
    ConditionExpression: 'attribute_not_exists(pk) OR workspaceId = :workspaceId',
    ExpressionAttributeValues: { ':workspaceId': workspaceId },
  },
  onRefused: () => new WriteConflict(),
});

/** Fails with ReferenceConstraint for the last owner. */
export const countOwner = (workspaceId: string, change: 1 | -1): Write => ({
  update: {
    Key: workspaceKey(workspaceId),
    UpdateExpression: 'SET ownerCount = ownerCount + :change',
    ConditionExpression: change < 0 ? `${IS_LIVE} AND ownerCount > :one` : IS_LIVE,
    ExpressionAttributeValues: { ':change': change, ...(change < 0 ? { ':one': 1 } : {}) },
  },
  onRefused: existing =>
    existing && existing.deletedAtMs === undefined
      ? new ApiError('ReferenceConstraint', 'This is the last owner. Make another member an owner first.')
      : gone(),
});

export const endWorkspace = (workspaceId: string, nowMs: number): Write => ({
  update: {
    Key: workspaceKey(workspaceId),
    UpdateExpression: 'SET deletedAtMs = :now',
    ConditionExpression: IS_LIVE,
    ExpressionAttributeValues: { ':now': nowMs },
  },
  onRefused: gone,
});

export const Member = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  createdAtMs: z.number(),
  /** Set once the invitation is accepted. */
  accountId: z.optional(z.string()),
  /** Bots to which an agent is limited. Other roles ignore it. */
  botIds: z.optional(z.array(z.string())),
  inviteHash: z.optional(z.string()),
  inviteExpiresAtMs: z.optional(z.number()),
  /** Number of keys and deployments by the member. */
  keysMade: z.optional(z.number()),
});
export type Member = z.infer<typeof Member>;

/** Derived from the email, which is unique within a workspace. */
export const memberIdOf = (workspaceId: string, email: string) =>
  `member_${hashText('member', workspaceId, email.toLowerCase()).slice(0, 22)}`;

export async function findMember(workspaceId: string, memberId: string): Promise<Member | undefined> {
  const item = await readItem(memberKey(workspaceId, memberId));
  return item && Member.parse(item);
}

export async function listMembers(
  workspaceId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Member[]> {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: environment.tableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': workspacePk(workspaceId), ':prefix': memberPrefix },
      ConsistentRead: true,
      Limit: limit,
      ExclusiveStartKey: after === undefined ? undefined : memberKey(workspaceId, after),
    }),
  );
  return Items.map(item => Member.parse(item));
}

export const putNewMember = (workspaceId: string, member: Member): Write => ({
  put: { Item: { ...memberKey(workspaceId, member.id), ...member }, ConditionExpression: 'attribute_not_exists(pk)' },
  onRefused: () => new ApiError('AlreadyExists', `${member.email} is already a member or invited.`),
});

const unchanged = (before: Member) => ({
  ConditionExpression: [
    '#role = :before',
    before.accountId === undefined ? 'attribute_not_exists(accountId)' : 'accountId = :account',
    before.botIds === undefined ? 'attribute_not_exists(botIds)' : 'botIds = :beforeBots',
  ].join(' AND '),
  ExpressionAttributeNames: { '#role': 'role' },
  ExpressionAttributeValues: {
    ':before': before.role,
    ...(before.accountId ? { ':account': before.accountId } : {}),
    ...(before.botIds ? { ':beforeBots': before.botIds } : {}),
  },
});
/** Additionally fails if the member has made a key or deployed code since the read. */
const withoutNewKeys = (before: Member) => {
  const { ConditionExpression, ...condition } = unchanged(before);
  return {
    ...condition,
    ConditionExpression: `${ConditionExpression} AND ${before.keysMade === undefined ? 'attribute_not_exists(keysMade)' : 'keysMade = :keysMade'}`,
    ExpressionAttributeValues: {
      ...condition.ExpressionAttributeValues,
      ...(before.keysMade === undefined ? {} : { ':keysMade': before.keysMade }),
    },
  };
};
const changedMeanwhile = (member: Member) => (existing: Item | undefined) =>
  existing ? new WriteConflict() : notFound(`The member ${member.id}`);

/** Changes the role and the bots. Fails with {@link WriteConflict} if the member has made a key since the read. */
export const changeMember = (
  workspaceId: string,
  before: Member,
  { role, botIds }: Pick<Member, 'role' | 'botIds'>,
): Write => {
  const condition = withoutNewKeys(before);
  return {
    update: {
      Key: memberKey(workspaceId, before.id),
      UpdateExpression: `SET #role = :role${botIds ? ', botIds = :botIds' : ' REMOVE botIds'}`,
      ...condition,
      ExpressionAttributeValues: {
        ...condition.ExpressionAttributeValues,
        ':role': role,
        ...(botIds ? { ':botIds': botIds } : {}),
      },
    },
    onRefused: changedMeanwhile(before),
  };
};

/** Turns an invitation into a membership. Invitations are single-use. */
export const acceptMember = (workspaceId: string, before: Member, accountId: string, role = before.role): Write => {
  const condition = unchanged(before);
  return {
    update: {
      Key: memberKey(workspaceId, before.id),
      UpdateExpression: 'SET accountId = :accepted, #role = :role REMOVE inviteHash, inviteExpiresAtMs',
      ...condition,
      // A replaced invitation is not accepted.
      ConditionExpression: `${condition.ConditionExpression} AND inviteHash = :invitation`,
      ExpressionAttributeValues: {
        ...condition.ExpressionAttributeValues,
        ':accepted': accountId,
        ':role': role,
        ':invitation': before.inviteHash,
      },
    },
    onRefused: changedMeanwhile(before),
  };
};

/** Fails with {@link WriteConflict} if the member has another role, account or bots by now. */
export const memberMustBeUnchanged = (workspaceId: string, member: Member): Write => ({
  check: { Key: memberKey(workspaceId, member.id), ...unchanged(member) },
  onRefused: changedMeanwhile(member),
});

/** Replaces the invitation of a person who has not accepted it. */
export const replaceInvitation = (
  workspaceId: string,
  before: Member,
  { inviteHash, inviteExpiresAtMs }: { inviteHash: string; inviteExpiresAtMs: number },
): Write => {
  const condition = unchanged(before);
  return {
    update: {
      Key: memberKey(workspaceId, before.id),
      UpdateExpression: 'SET inviteHash = :hash, inviteExpiresAtMs = :expiry',
      ...condition,
      ExpressionAttributeValues: {
        ...condition.ExpressionAttributeValues,
        ':hash': inviteHash,
        ':expiry': inviteExpiresAtMs,
      },
    },
    onRefused: changedMeanwhile(before),
  };
};

/** Fails with {@link WriteConflict} if the member has made a key since the read. */
export const removeMember = (workspaceId: string, member: Member): Write => ({
  remove: { Key: memberKey(workspaceId, member.id), ...withoutNewKeys(member) },
  onRefused: changedMeanwhile(member),
});

/** Must be part of the transaction that creates the key or deployment. */
export const countCreatedKey = (workspaceId: string, memberId: string): Write => ({
  update: {
    Key: memberKey(workspaceId, memberId),
    UpdateExpression: 'ADD keysMade :one',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':one': 1 },
  },
  onRefused: () => notFound(`The member ${memberId}`),
});
