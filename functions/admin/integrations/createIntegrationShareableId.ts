import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { newRecordId } from '#shared/core/ids.ts';
import { installationQuery, requireInstallation } from '#shared/domain/admin/bots/requireInstallation.ts';
import { putShareableId } from '#shared/storage/dynamodb/bots/shareableIds.ts';

const LIFETIME_MS = 30 * 24 * 3_600_000;

export const createIntegrationShareableId = adminOperation({
  name: 'createIntegrationShareableId',
  summary: 'Creates an id that shares an installation for 30 days. It replaces the previous id.',
  method: 'POST',
  path: '/admin/bots/{botId}/integrations/{integrationId}/shareable-id',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  query: installationQuery,
  output: z.object({ shareableId: z.string() }),
  statuses: [201],

  handle: async ({ input, workspaceId, nowMs, commit }) => {
    const { alias, webhookId } = await requireInstallation(workspaceId, input);
    const shareableId = newRecordId('share', nowMs);
    return commit(created({ shareableId }), [
      putShareableId(input.botId, alias, { shareableId, webhookId, expiresAtMs: nowMs + LIFETIME_MS }),
    ]);
  },
});
