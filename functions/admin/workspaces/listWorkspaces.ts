import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { meta, pageOf } from '#shared/api/views.ts';
import { viewWorkspace, WorkspaceView } from '#shared/domain/admin/workspaces/workspaceView.ts';
import { rereadAccount } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { countBots } from '#shared/storage/dynamodb/workspace/usage.ts';
import { findWorkspaces } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const listWorkspaces = adminOperation({
  name: 'listWorkspaces',
  summary: 'Lists the workspaces of the caller, oldest first. Needs no workspace in the header.',
  method: 'GET',
  path: '/admin/workspaces',
  scope: 'self',
  table: 'reads',
  partitions: { reads: ['gauges'] },
  query: z.object({ ...pageQuery, handle: z.optional(z.string()) }),
  output: z.object({ workspaces: z.array(WorkspaceView), meta }),
  statuses: [200],

  // Ids sort by creation, and an account has a bounded number of memberships.
  handle: async ({ input: { pageSize = DEFAULT_PAGE_SIZE, handle }, account, pageStart = '', nextToken }) => {
    const { memberships } = await rereadAccount(account);
    const ids = Object.keys(memberships).filter(id => id > pageStart);
    const found = (await findWorkspaces(ids.sort())).filter(each => handle === undefined || each.handle === handle);
    const { records, last } = pageOf(found, pageSize);
    const counts = await countBots(records.map(({ id }) => id));
    return ok({
      workspaces: records.map((each, i) => viewWorkspace(each, counts[i]!)),
      meta: last ? { nextToken: nextToken(last.id) } : {},
    });
  },
});
