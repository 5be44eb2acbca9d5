import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { notFound } from '#shared/core/errors.ts';
import {
  isShownInPublic,
  PublicWorkspaceView,
  viewPublicWorkspace,
} from '#shared/domain/admin/workspaces/publicView.ts';
import { findWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const getPublicWorkspace = adminOperation({
  name: 'getPublicWorkspace',
  summary: 'Gets the public profile of a workspace that is public. The caller need not be a member.',
  method: 'GET',
  path: '/admin/workspaces/{id}/public',
  scope: 'account',
  table: 'reads',
  output: PublicWorkspaceView,
  statuses: [200],

  handle: async ({ input }) => {
    const workspace = await findWorkspace(input.id);
    if (!workspace || !isShownInPublic(workspace)) throw notFound(`The public workspace ${input.id}`);
    return ok(viewPublicWorkspace(workspace));
  },
});
