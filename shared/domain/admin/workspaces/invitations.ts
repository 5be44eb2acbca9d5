import { randomBytes } from 'node:crypto';
import { ApiError } from '#shared/core/errors.ts';
import { hashText } from '#shared/core/ids.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { Account } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { isSameHash } from '#shared/storage/dynamodb/workspace/tokenValue.ts';
import {
  acceptMember,
  countOwner,
  findMember,
  type Member,
  workspaceMustExist,
} from '#shared/storage/dynamodb/workspace/workspaces.ts';

const INVITATION = /^bp_inv_([0-9A-Za-z]{22})([0-9A-Za-z]{22})[A-Za-z0-9_-]{22}$/;
const INVITATION_DAYS = 14;

/** Returns an invitation. Its value identifies the member and is shown once; only its hash is stored. */
export function newInvitation(workspaceId: string, memberId: string, nowMs: number) {
  const owner = workspaceId.slice('wkspace_'.length) + memberId.slice('member_'.length);
  const value = `bp_inv_${owner}${randomBytes(16).toString('base64url')}`;
  return {
    value,
    inviteHash: hashText('invitation', value),
    inviteExpiresAtMs: nowMs + INVITATION_DAYS * 24 * 3600 * 1000,
  };
}

export const invitationNotValid = () =>
  new ApiError('Unauthorized', 'The invitation is invalid, already used or expired. Request a new one.');

/** @throws ApiError Unauthorized, with the same message for unknown, used and expired invitations */
export async function openInvitation(value: string, nowMs: number): Promise<{ workspaceId: string; member: Member }> {
  const [, workspaceCode, memberCode] = INVITATION.exec(value) ?? [];
  const workspaceId = `wkspace_${workspaceCode}`;
  const member = workspaceCode ? await findMember(workspaceId, `member_${memberCode}`) : undefined;
  const isValid =
    member?.inviteHash !== undefined &&
    isSameHash(member.inviteHash, hashText('invitation', value)) &&
    nowMs < (member.inviteExpiresAtMs ?? 0);
  if (!isValid) throw invitationNotValid();
  return { workspaceId, member };
}

/** Returns the writes that accept an invitation, except those of the account. */
export const acceptance = (workspaceId: string, member: Member, account: Account, nowMs: number): Write[] => [
  acceptMember(workspaceId, member, account.id),
  member.role === 'owner' ? countOwner(workspaceId, 1) : workspaceMustExist(workspaceId),
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
