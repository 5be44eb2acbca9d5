import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { SingleSignOnView, viewSingleSignOn } from '#shared/domain/admin/singleSignOn/settings.ts';
import { findSingleSignOn } from '#shared/storage/dynamodb/workspace/singleSignOn.ts';

export const getSingleSignOn = adminOperation({
  name: 'getSingleSignOn',
  summary: 'Gets the single sign-on of a workspace, without its client secret.',
  method: 'GET',
  path: '/admin/workspaces/{id}/single-sign-on',
  scope: 'account',
  workspaceIn: 'id',
  table: 'reads',
  output: z.object({ singleSignOn: z.optional(SingleSignOnView) }),
  statuses: [200],

  handle: async ({ workspaceId }) => {
    const settings = await findSingleSignOn(workspaceId);
    return ok({ singleSignOn: settings && viewSingleSignOn(settings) });
  },
});
