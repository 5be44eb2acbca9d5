import * as z from 'zod/mini';
import { requireUnlimited } from '#shared/api/auth/callerLimits.ts';
import { created, MEGABYTE } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { newIntegrationId } from '#shared/core/ids.ts';
import { storeAssets } from '#shared/domain/admin/assets.ts';
import { awaitRollout } from '#shared/domain/admin/awaitRollout.ts';
import { grantOfIntegration } from '#shared/domain/admin/grants/integrationGrants.ts';
import { inheritedSecrets } from '#shared/domain/admin/integrations/inheritedSecrets.ts';
import {
  changedIntegration,
  changedIntegrationDefinition,
} from '#shared/domain/admin/integrations/integrationChanges.ts';
import { NewIntegration } from '#shared/domain/admin/integrations/integrationInputs.ts';
import { IntegrationView, viewIntegration } from '#shared/domain/admin/integrations/integrationView.ts';
import { withInterfaceNames } from '#shared/domain/admin/packages/packageReferences.ts';
import { newSigningSecret } from '#shared/domain/admin/signingSecrets.ts';
import { mappedCode } from '#shared/domain/admin/sourceMap.ts';
import { recordDeployedCode } from '#shared/storage/dynamodb/code/deployedCode.ts';
import { EMPTY_INTEGRATION_DEFINITION } from '#shared/storage/dynamodb/definitions/integrationDefinition.ts';
import { mayBecomeObject } from '#shared/storage/dynamodb/engine/largeValue.ts';
import {
  findIntegration,
  type Integration,
  putNewIntegration,
} from '#shared/storage/dynamodb/integrations/integrations.ts';
import { sealSecrets } from '#shared/storage/dynamodb/secrets/sealed.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { changeGauge, requireRoom } from '#shared/storage/dynamodb/workspace/usage.ts';
import { workspaceMustExist } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const createIntegration = adminOperation({
  name: 'createIntegration',
  summary:
    'Creates a version of an integration, with the secrets of the preceding version unless `secrets` replaces them. Its `signingSecret` is shown only once. It is called at its `url` or, without one, in its `code`, which the platform runs.',
  method: 'POST',
  path: '/admin/integrations',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  partitions: {
    reads: ['handles', 'integrationNames', 'packages', 'packageNames'],
    writes: ['hub', 'gauges'],
    appends: ['integrationNames', 'usage'],
  },
  secrets: 'opens',
  largeValues: 'writes',
  objects: { reads: ['assets'], stages: ['assets'] },
  payloadLimitBytes: 50 * MEGABYTE,
  body: NewIntegration,
  output: z.object({ integration: IntegrationView }),
  statuses: [201],
  showsSecret: true,

  handle: async ({ input: given, account, token, workspaceId, nowMs, commit }) => {
    const input = { ...given, interfaces: await withInterfaceNames(workspaceId, given.interfaces) };
    const id = newIntegrationId(nowMs);
    const signingSecret = newSigningSecret(id);
    const blank: Integration = {
      id,
      workspaceId,
      name: input.name,
      version: input.version,
      title: input.name,
      description: '',
      visibility: 'private',
      isDev: input.dev ?? false,
      createdBy: account.id,
      createdAtMs: nowMs,
      updatedAtMs: nowMs - 1,
      signingSecrets: [signingSecret.stored],
      attributes: {},
      installCount: 0,
      interfaces: [],
      actionNames: [],
      revision: 0,
    };
    const definition = changedIntegrationDefinition(
      EMPTY_INTEGRATION_DEFINITION,
      input,
      sealSecrets(id, { ...(await inheritedSecrets(workspaceId, input)), ...input.secrets }),
    );
    const changed = changedIntegration(blank, input, definition, { account, nowMs });
    requireUnlimited(
      token,
      grantOfIntegration(
        { integration: blank, definition: EMPTY_INTEGRATION_DEFINITION },
        { integration: changed, definition },
      ),
    );
    const hasAssets = [input.icon, input.readme, input.code].some(asset => asset !== undefined);
    // Rejects before anything is stored.
    if (hasAssets || mayBecomeObject(definition)) await requireRoom(workspaceId, 'integrations_owned_count', 1);
    const integration = { ...changed, ...(await storeAssets(id, { ...input, code: mappedCode(input) })) };
    const answer = await commit(
      created({ integration: await viewIntegration(integration, definition, signingSecret.value) }),
      [
        ...(await putNewIntegration(integration, definition)),
        workspaceMustExist(workspaceId),
        ...changeGauge(workspaceId, 'integrations_owned_count', 1, { nowMs }),
        ...recordDeployedCode(workspaceId, account, { kind: 'integration', id }, { before: blank, after: integration }),
        putAudit(
          workspaceId,
          auditActor(account),
          {
            action: 'UNKNOWN',
            resourceId: id,
            resourceName: `${input.name} ${input.version}`,
            value: 'CREATE_INTEGRATION',
          },
          nowMs,
        ),
      ],
    );
    await awaitRollout({ before: blank, after: integration }, () => findIntegration(id), nowMs);
    return answer;
  },
});
