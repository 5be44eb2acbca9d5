import * as z from 'zod/mini';
import { requireUnlimited } from '#shared/api/auth/callerLimits.ts';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { storeAssets } from '#shared/domain/admin/assets.ts';
import { awaitRollout } from '#shared/domain/admin/awaitRollout.ts';
import { grantOfIntegration } from '#shared/domain/admin/grants/integrationGrants.ts';
import {
  changedIntegration,
  changedIntegrationDefinition,
} from '#shared/domain/admin/integrations/integrationChanges.ts';
import { IntegrationChanges } from '#shared/domain/admin/integrations/integrationInputs.ts';
import { IntegrationView, viewIntegration } from '#shared/domain/admin/integrations/integrationView.ts';
import { requireIntegrationWithDefinition } from '#shared/domain/admin/integrations/requireIntegration.ts';
import { withInterfaceNames } from '#shared/domain/admin/packages/packageReferences.ts';
import { mappedCode } from '#shared/domain/admin/sourceMap.ts';
import { recordDeployedCode } from '#shared/storage/dynamodb/code/deployedCode.ts';
import { changeIntegration, findIntegration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { sealSecrets } from '#shared/storage/dynamodb/secrets/sealed.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';

export const updateIntegration = adminOperation({
  name: 'updateIntegration',
  summary: 'Updates an integration. Maps change key by key, and null removes a key.',
  method: 'PUT',
  path: '/admin/integrations/{id}',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  partitions: { reads: ['handles', 'packages', 'packageNames'], writes: ['hub'] },
  secrets: 'opens',
  largeValues: 'writes',
  objects: { reads: ['assets'], stages: ['assets'] },
  payloadLimitBytes: 50 * MEGABYTE,
  body: IntegrationChanges,
  output: z.object({ integration: IntegrationView }),
  statuses: [200],

  handle: async ({ input: given, account, token, workspaceId, nowMs, commit }) => {
    const { id: _, ...fields } = given;
    const input = { ...given, interfaces: await withInterfaceNames(workspaceId, given.interfaces) };
    const before = await requireIntegrationWithDefinition(workspaceId, input.id);
    const definition = changedIntegrationDefinition(before.definition, input, sealSecrets(input.id, input.secrets));
    const changed = changedIntegration(before.integration, input, definition, { account, nowMs });
    requireUnlimited(token, grantOfIntegration(before, { integration: changed, definition }));
    const integration = { ...changed, ...(await storeAssets(input.id, { ...input, code: mappedCode(input) })) };
    const answer = await commit(ok({ integration: await viewIntegration(integration, definition) }), [
      ...(await changeIntegration(before.integration, integration, definition)),
      ...recordDeployedCode(
        workspaceId,
        account,
        { kind: 'integration', id: integration.id },
        { before: before.integration, after: integration },
      ),
      putAudit(
        workspaceId,
        auditActor(account),
        {
          action: 'UNKNOWN',
          resourceId: integration.id,
          resourceName: `${integration.name} ${integration.version}`,
          value: `UPDATE_INTEGRATION ${Object.keys(fields).join(', ')}`,
        },
        nowMs,
      ),
    ]);
    await awaitRollout(
      { before: before.integration, after: integration },
      () => findIntegration(integration.id),
      nowMs,
    );
    return answer;
  },
});
