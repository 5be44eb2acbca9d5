import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { MemberView, requireMember, viewMember } from '#shared/domain/admin/workspaces/memberView.ts';

export const getWorkspaceMember = adminOperation({
  name: 'getWorkspaceMember',
  summary: "Gets the caller's own membership of the workspace.",
  method: 'GET',
  path: '/admin/workspace-members/me',
  scope: 'account',
  table: 'reads',
  output: MemberView,
  statuses: [200],

  handle: async ({ account, workspaceId }) => {
    const member = await requireMember(workspaceId, account.memberships[workspaceId]!.memberId);
    return ok(viewMember(member, account));
  },
});
