import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { setMembership } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { type AuditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { changeMember, countOwner, type Member } from '#shared/storage/dynamodb/workspace/workspaces.ts';
import { membershipOf } from './memberBots.ts';
import { formatRedeployed, mayDeploy, redeployCodeOf } from './redeployCode.ts';

/**
 * Returns the writes that give a member another role or other bots. Code that the member deployed is redeployed first,
 * if the new role may not deploy.
 */
export async function memberChange(
  workspaceId: string,
  before: Member,
  after: Member,
  { actor, nowMs }: { actor: AuditActor; nowMs: number },
): Promise<Write[]> {
  const { id, accountId } = before;
  const isDemoted = accountId !== undefined && mayDeploy(before.role) && !mayDeploy(after.role);
  const redeployed = isDemoted ? await redeployCodeOf(workspaceId, accountId, nowMs) : [];
  // An invited owner counts only after accepting the invitation.
  const owners = accountId === undefined ? 0 : Number(after.role === 'owner') - Number(before.role === 'owner');
  return [
    changeMember(workspaceId, before, after),
    ...(accountId === undefined ? [] : [setMembership({ id: accountId }, workspaceId, membershipOf(after))]),
    ...(owners === 0 ? [] : [countOwner(workspaceId, owners as 1 | -1)]),
    putAudit(
      workspaceId,
      actor,
      {
        action: 'UPDATE_WORKSPACE_MEMBER',
        resourceId: id,
        resourceName: before.email,
        value: changeText(before, after) + formatRedeployed(redeployed),
      },
      nowMs,
    ),
  ];
}

export const hasSameBots = (one: Member, other: Member): boolean =>
  JSON.stringify(one.botIds) === JSON.stringify(other.botIds);

/** For example `viewer to agent, bots: all to 2`. */
function changeText(before: Member, after: Member): string {
  const bots = [before, after].map(({ botIds }) => botIds?.length ?? 'all').join(' to ');
  return `${before.role} to ${after.role}${hasSameBots(before, after) ? '' : `, bots: ${bots}`}`;
}
