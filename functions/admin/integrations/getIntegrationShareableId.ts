import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { installationQuery } from '#shared/domain/admin/bots/requireInstallation.ts';
import { requireShareableId } from '#shared/domain/admin/bots/requireShareableId.ts';

export const getIntegrationShareableId = adminOperation({
  name: 'getIntegrationShareableId',
  summary: 'Gets the shareable id of an installation and its expiry.',
  method: 'GET',
  path: '/admin/bots/{botId}/integrations/{integrationId}/shareable-id',
  scope: 'account',
  table: 'reads',
  query: installationQuery,
  output: z.object({ shareableId: z.string(), isExpired: z.boolean() }),
  statuses: [200],

  handle: async ({ input, workspaceId, nowMs }) => {
    const { found } = await requireShareableId(workspaceId, input);
    return ok({ shareableId: found.shareableId, isExpired: found.expiresAtMs <= nowMs });
  },
});
