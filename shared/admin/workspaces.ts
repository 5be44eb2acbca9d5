/** Workspaces and members, as the admin interface shows them; and how both begin. */
import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { ROLES } from '#shared/api/auth/permissions.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { accountKey } from '#shared/dynamodb/keys/workspace.ts';
import { readItems } from '#shared/dynamodb/query.ts';
import type { Write } from '#shared/dynamodb/transaction.ts';
import { type Account, parseAccount } from '#shared/dynamodb/workspace/accounts.ts';
import { putAudit } from '#shared/dynamodb/workspace/audit.ts';
import { isSameHash } from '#shared/dynamodb/workspace/tokenValue.ts';
import { changeLevel, countBots } from '#shared/dynamodb/workspace/usage.ts';
import {
  acceptMember,
  countOwner,
  findMember,
  findWorkspace,
  type Member,
  memberIdOf,
  putNewMember,
  putNewWorkspace,
  type Workspace,
  workspaceMustLive,
} from '#shared/dynamodb/workspace/workspaces.ts';
import { ApiError, notFound } from '#shared/errors.ts';
import { hashText, newWorkspaceId } from '#shared/ids.ts';
import { auditActor } from './accounts.ts';

export const WorkspaceView = z.object({
  id: z.string(),
  name: z.string(),
  ownerId: z.string(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  botCount: z.number(),
  billingVersion: z.enum(['v4', 'v1', 'v2', 'v3']),
  plan: z.enum(['community', 'team', 'enterprise', 'plus', 'managed']),
  /** While it is being deleted. */
  blocked: z.boolean(),
  spendingLimit: z.number(),
  about: z.optional(z.string()),
  profilePicture: z.optional(z.string()),
  contactEmail: z.optional(z.string()),
  website: z.optional(z.string()),
  socialAccounts: z.optional(z.array(z.string())),
  isPublic: z.optional(z.boolean()),
  handle: z.optional(z.string()),
  activeTrialId: z.null(),
});

export const viewWorkspace = (workspace: Workspace, botCount: number): z.infer<typeof WorkspaceView> => ({
  id: workspace.id,
  name: workspace.name,
  ownerId: workspace.ownerId,
  createdAt: iso(workspace.createdAtMs),
  updatedAt: iso(workspace.updatedAtMs),
  botCount,
  billingVersion: 'v4',
  plan: 'community',
  blocked: workspace.deletedAtMs !== undefined,
  spendingLimit: workspace.spendingLimit ?? 0,
  about: workspace.about,
  profilePicture: workspace.profilePicture,
  contactEmail: workspace.contactEmail,
  website: workspace.website,
  socialAccounts: workspace.socialAccounts,
  isPublic: workspace.isPublic ?? false,
  handle: workspace.handle,
  activeTrialId: null,
});

/** The same, with the number of its bots read. */
export async function showWorkspace(workspace: Workspace) {
  const [botCount] = await countBots([workspace.id]);
  return viewWorkspace(workspace, botCount!);
}

/** A workspace, also while it is being deleted. @throws ApiError ResourceNotFound */
export async function requireWorkspace(workspaceId: string): Promise<Workspace> {
  const workspace = await findWorkspace(workspaceId);
  if (!workspace) throw notFound(`The workspace ${workspaceId}`);
  return workspace;
}

/** What begins a workspace, with an account as its owner. */
export function newWorkspace(
  account: Account,
  name: string,
  nowMs: number,
): { workspace: Workspace; member: Member; writes: Write[] } {
  const id = newWorkspaceId(nowMs);
  const workspace: Workspace = {
    id,
    name,
    ownerId: account.id,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    ownerCount: 1,
  };
  const member: Member = {
    id: memberIdOf(id, account.email),
    email: account.email,
    role: 'owner',
    createdAtMs: nowMs,
    accountId: account.id,
  };
  return {
    workspace,
    member,
    writes: [
      putNewWorkspace(workspace),
      putNewMember(id, member),
      ...changeLevel(id, 'workspace_member_count', 1, { nowMs }),
      putAudit(id, auditActor(account), { action: 'CREATE_WORKSPACE', resourceId: id, resourceName: name }, nowMs),
    ],
  };
}

/** A new account, in no workspace yet. */
export const newAccount = (email: string, nowMs: number, displayName?: string): Account => ({
  id: randomUUID(),
  email,
  displayName,
  createdAtMs: nowMs,
  memberships: {},
});

export const MemberView = z.object({
  id: z.string(),
  /** Absent until the invitation is accepted. */
  userId: z.optional(z.string()),
  email: z.string(),
  createdAt: dateTime(),
  role: z.enum(ROLES),
  profilePicture: z.optional(z.string()),
  displayName: z.optional(z.string()),
});

export const viewMember = (member: Member, account?: Account): z.infer<typeof MemberView> => ({
  id: member.id,
  userId: member.accountId,
  email: member.email,
  createdAt: iso(member.createdAtMs),
  role: member.role,
  profilePicture: account?.profilePicture,
  displayName: account?.displayName,
});

/** Members with what their accounts say of them. */
export async function showMembers(members: readonly Member[]) {
  const accepted = members.flatMap(({ accountId }) => accountId ?? []);
  const items = await readItems(accepted.map(accountKey));
  const accounts = new Map(items.flatMap(item => (item ? [[item.id as string, parseAccount(item)]] : [])));
  return members.map(member => viewMember(member, accounts.get(member.accountId ?? '')));
}

/** @throws ApiError ResourceNotFound */
export async function requireMember(workspaceId: string, memberId: string): Promise<Member> {
  const member = await findMember(workspaceId, memberId);
  if (!member) throw notFound(`The member ${memberId}`);
  return member;
}

const INVITATION = /^bp_inv_([0-9A-Za-z]{22})([0-9A-Za-z]{22})[A-Za-z0-9_-]{22}$/;
const INVITATION_DAYS = 14;

/** What an invited member is told once: it names him, and only he knows all of it. */
export function newInvitation(workspaceId: string, memberId: string, nowMs: number) {
  const owner = workspaceId.slice('wkspace_'.length) + memberId.slice('member_'.length);
  const value = `bp_inv_${owner}${randomBytes(16).toString('base64url')}`;
  return {
    value,
    inviteHash: hashText('invitation', value),
    inviteExpiresAtMs: nowMs + INVITATION_DAYS * 24 * 3600 * 1000,
  };
}

/** @throws ApiError Unauthorized, always with one text, for whatever is no invitation that still holds */
export async function openInvitation(value: string, nowMs: number): Promise<{ workspaceId: string; member: Member }> {
  const [, workspaceCode, memberCode] = INVITATION.exec(value) ?? [];
  const workspaceId = `wkspace_${workspaceCode}`;
  const member = workspaceCode ? await findMember(workspaceId, `member_${memberCode}`) : undefined;
  const holds =
    member?.inviteHash !== undefined &&
    isSameHash(member.inviteHash, hashText('invitation', value)) &&
    nowMs < (member.inviteExpiresAtMs ?? 0);
  if (!holds) throw new ApiError('Unauthorized', 'The invitation is not valid, was used, or has expired.');
  return { workspaceId, member };
}

/** What makes an invitation a membership, but for the account, which is new or not. */
export const acceptance = (workspaceId: string, member: Member, account: Account, nowMs: number): Write[] => [
  acceptMember(workspaceId, member, account.id),
  member.role === 'owner' ? countOwner(workspaceId, 1) : workspaceMustLive(workspaceId),
  putAudit(
    workspaceId,
    auditActor(account),
    {
      action: 'UPDATE_WORKSPACE_MEMBER',
      resourceId: member.id,
      resourceName: member.email,
      value: 'accepted the invitation',
    },
    nowMs,
  ),
];
