import * as z from 'zod/mini';
import { requireOwn, requireRank } from '#shared/api/auth/callerLimits.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { queryBoolean } from '#shared/api/platform/queryInputs.ts';
import {
  CreatedKeyView,
  formatKeys,
  pageCreatedKeys,
  viewCreatedKey,
} from '#shared/domain/admin/workspaces/memberKeys.ts';
import { requireMember } from '#shared/domain/admin/workspaces/memberView.ts';
import { formatRedeployed, RedeployedView, redeployCodeOf } from '#shared/domain/admin/workspaces/redeployCode.ts';
import { type CreatedKey, removeKey } from '#shared/storage/dynamodb/callers/createdKeys.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { endMembership } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { changeGauge } from '#shared/storage/dynamodb/workspace/usage.ts';
import { countOwner, removeMember } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const deleteWorkspaceMember = adminOperation({
  name: 'deleteWorkspaceMember',
  summary:
    'Removes a member or an invitation. Every member may leave, except for the last owner. The response lists the keys of bots and integrations that the member created. They stay valid unless `revokeKeys=true` revokes them. Code that the member deployed is redeployed with new keys and listed in the response.',
  method: 'DELETE',
  path: '/admin/workspace-members/{id}',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  partitions: { appends: ['gauges', 'usage'] },
  query: z.object({ revokeKeys: z.optional(queryBoolean()) }),
  output: z.object({ keys: z.array(CreatedKeyView), redeployed: z.array(RedeployedView) }),
  statuses: [200],

  handle: async call => {
    const { input, account, role, workspaceId, nowMs, commit } = call;
    const { revokeKeys = false } = input;
    const member = await requireMember(workspaceId, input.id);
    requireOwn(call, member.accountId === account.id);
    if (member.accountId !== account.id) requireRank(role, member.role);
    const isOwner = member.role === 'owner' && member.accountId !== undefined;
    const audit = (value: string) =>
      putAudit(
        workspaceId,
        auditActor(account),
        { action: 'REMOVE_WORKSPACE_MEMBER', resourceId: member.id, resourceName: member.email, value },
        nowMs,
      );

    const redeployed =
      revokeKeys && member.accountId !== undefined ? await redeployCodeOf(workspaceId, member.accountId, nowMs) : [];
    const keys: CreatedKey[] = [];
    let batch: CreatedKey[] = [];
    for await (const next of member.accountId === undefined ? [] : pageCreatedKeys(workspaceId, member.accountId)) {
      // Revokes all but the last batch first, because the member's transaction has no room for them.
      if (revokeKeys && batch.length > 0) {
        await write([
          ...batch.flatMap(key => removeKey(workspaceId, key)),
          audit(`${member.role}${formatKeys(batch, 'revoked')}`),
        ]);
      }
      batch = next;
      keys.push(...batch);
    }
    return commit(ok({ keys: keys.map(viewCreatedKey), redeployed }), [
      removeMember(workspaceId, member),
      ...(member.accountId === undefined ? [] : [endMembership(member.accountId, workspaceId)]),
      ...(isOwner ? [countOwner(workspaceId, -1)] : []),
      ...changeGauge(workspaceId, 'workspace_member_count', -1, { nowMs }),
      ...(revokeKeys ? batch.flatMap(key => removeKey(workspaceId, key)) : []),
      audit(
        `${member.role}${formatKeys(revokeKeys ? batch : keys, revokeKeys ? 'revoked' : 'kept')}${formatRedeployed(redeployed)}`,
      ),
    ]);
  },
});
