import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { NewIntegration } from '#shared/domain/admin/integrations/integrationInputs.ts';
import { validateCreation } from '#shared/domain/admin/integrations/validate.ts';

export const validateIntegrationCreation = adminOperation({
  name: 'validateIntegrationCreation',
  summary: 'Dry run of `createIntegration`.',
  method: 'POST',
  path: '/admin/integrations/validate',
  scope: 'account',
  grants: 'nothing',
  table: 'reads',
  partitions: { reads: ['handles', 'integrationNames', 'packages', 'packageNames', 'hub', 'gauges'] },
  payloadLimitBytes: 50 * MEGABYTE,
  body: NewIntegration,
  output: z.object({}),
  statuses: [200],

  handle: async ({ input, workspaceId }) => {
    await validateCreation(workspaceId, input);
    return ok({});
  },
});
