import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { installationQuery } from '#shared/domain/admin/bots/requireInstallation.ts';
import { requireShareableId } from '#shared/domain/admin/bots/requireShareableId.ts';
import { removeShareableId } from '#shared/storage/dynamodb/bots/shareableIds.ts';

export const deleteIntegrationShareableId = adminOperation({
  name: 'deleteIntegrationShareableId',
  summary: 'Deletes the shareable id of an installation.',
  method: 'DELETE',
  path: '/admin/bots/{botId}/integrations/{integrationId}/shareable-id',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  query: installationQuery,
  output: z.object({}),
  statuses: [200],

  handle: async ({ input, workspaceId, commit }) => {
    const { installation, found } = await requireShareableId(workspaceId, input);
    return commit(ok({}), [removeShareableId(input.botId, installation.alias, found)]);
  },
});
