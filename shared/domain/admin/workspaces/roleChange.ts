import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { setMembership } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { type AuditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import type { Role } from '#shared/storage/dynamodb/workspace/roles.ts';
import { changeRole, countOwner, type Member } from '#shared/storage/dynamodb/workspace/workspaces.ts';
import { formatRedeployed, mayDeploy, redeployCodeOf } from './redeployCode.ts';

/**
 * Returns the writes that give a member another role. Code that the member deployed is redeployed first, if the new
 * role may not deploy.
 */
export async function roleChange(
  workspaceId: string,
  member: Member,
  role: Role,
  { actor, nowMs }: { actor: AuditActor; nowMs: number },
): Promise<Write[]> {
  const { id, accountId } = member;
  const isDemoted = accountId !== undefined && mayDeploy(member.role) && !mayDeploy(role);
  const redeployed = isDemoted ? await redeployCodeOf(workspaceId, accountId, nowMs) : [];
  // An invited owner counts only after accepting the invitation.
  const owners = accountId === undefined ? 0 : Number(role === 'owner') - Number(member.role === 'owner');
  return [
    changeRole(workspaceId, member, role),
    ...(accountId === undefined ? [] : [setMembership({ id: accountId }, workspaceId, { role, memberId: id })]),
    ...(owners === 0 ? [] : [countOwner(workspaceId, owners as 1 | -1)]),
    putAudit(
      workspaceId,
      actor,
      {
        action: 'UPDATE_WORKSPACE_MEMBER',
        resourceId: id,
        resourceName: member.email,
        value: `${member.role} to ${role}${formatRedeployed(redeployed)}`,
      },
      nowMs,
    ),
  ];
}
