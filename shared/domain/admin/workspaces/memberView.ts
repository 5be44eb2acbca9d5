import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { notFound } from '#shared/core/errors.ts';
import { type Account, findAccounts } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { ROLES } from '#shared/storage/dynamodb/workspace/roles.ts';
import { findMember, type Member } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const MemberView = z.object({
  id: z.string(),
  userId: z.optional(z.string()),
  email: z.string(),
  createdAt: dateTime(),
  role: z.enum(ROLES),
  botIds: z.optional(z.array(z.string())),
  profilePicture: z.optional(z.string()),
  displayName: z.optional(z.string()),
  inviteExpiresAt: z.optional(dateTime()),
});

export const viewMember = (member: Member, account?: Account): z.infer<typeof MemberView> => ({
  id: member.id,
  userId: member.accountId,
  email: member.email,
  createdAt: iso(member.createdAtMs),
  role: member.role,
  botIds: member.botIds,
  profilePicture: account?.profilePicture,
  displayName: account?.displayName,
  inviteExpiresAt:
    member.accountId !== undefined || member.inviteExpiresAtMs === undefined
      ? undefined
      : iso(member.inviteExpiresAtMs),
});

export async function showMembers(members: readonly Member[]) {
  const accounts = await findAccounts(members.flatMap(({ accountId }) => accountId ?? []));
  return members.map(member => viewMember(member, accounts.get(member.accountId ?? '')));
}

export async function requireMember(workspaceId: string, memberId: string): Promise<Member> {
  const member = await findMember(workspaceId, memberId);
  if (!member) throw notFound(`The member ${memberId}`);
  return member;
}
