import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { IntegrationChanges } from '#shared/domain/admin/integrations/integrationInputs.ts';
import { validateUpdate } from '#shared/domain/admin/integrations/validate.ts';

export const validateIntegrationUpdate = adminOperation({
  name: 'validateIntegrationUpdate',
  summary: 'Dry run of `updateIntegration`.',
  method: 'PUT',
  path: '/admin/integrations/{id}/validate',
  scope: 'account',
  grants: 'nothing',
  table: 'reads',
  partitions: { reads: ['handles', 'packages', 'packageNames', 'hub'] },
  largeValues: 'reads',
  payloadLimitBytes: 50 * MEGABYTE,
  body: IntegrationChanges,
  output: z.object({}),
  statuses: [200],

  handle: async ({ input, workspaceId }) => {
    await validateUpdate(workspaceId, input.id, input);
    return ok({});
  },
});
