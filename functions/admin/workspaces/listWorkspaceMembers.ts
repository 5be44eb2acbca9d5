import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { meta, pageOf } from '#shared/api/views.ts';
import { MemberView, showMembers } from '#shared/domain/admin/workspaces/memberView.ts';
import { listMembers } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const listWorkspaceMembers = adminOperation({
  name: 'listWorkspaceMembers',
  summary: 'Lists the members of the workspace and its open invitations.',
  method: 'GET',
  path: '/admin/workspace-members',
  scope: 'account',
  table: 'reads',
  query: z.object(pageQuery),
  output: z.object({ members: z.array(MemberView), meta }),
  statuses: [200],

  handle: async ({ input: { pageSize = DEFAULT_PAGE_SIZE }, workspaceId, pageStart, nextToken }) => {
    const found = await listMembers(workspaceId, { after: pageStart, limit: pageSize + 1 });
    const { records, last } = pageOf(found, pageSize);
    return ok({ members: await showMembers(records), meta: last ? { nextToken: nextToken(last.id) } : {} });
  },
});
