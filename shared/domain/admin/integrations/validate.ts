/** Dry runs of `createIntegration` and `updateIntegration`. Conditions of the write are checked by reads. */

import { ApiError } from '#shared/core/errors.ts';
import { requireAssets } from '#shared/domain/admin/assets.ts';
import { withInterfaceNames } from '#shared/domain/admin/packages/packageReferences.ts';
import { EMPTY_INTEGRATION_DEFINITION } from '#shared/storage/dynamodb/definitions/integrationDefinition.ts';
import { requirePublishable } from '#shared/storage/dynamodb/integrations/hub.ts';
import { findOwnVersion } from '#shared/storage/dynamodb/integrations/integrationVersions.ts';
import { requireRoom } from '#shared/storage/dynamodb/workspace/usage.ts';
import { changedIntegrationDefinition } from './integrationChanges.ts';
import type { IntegrationChanges } from './integrationInputs.ts';
import { requireIntegrationWithDefinition } from './requireIntegration.ts';

const isPublic = ({ visibility, public: requested }: Pick<IntegrationChanges, 'visibility' | 'public'>) =>
  (visibility ?? (requested ? 'public' : 'private')) === 'public';

export async function validateCreation(
  workspaceId: string,
  input: IntegrationChanges & { name: string; version: string; dev?: boolean | undefined },
): Promise<void> {
  requireAssets(input);
  const [interfaces, taken] = await Promise.all([
    withInterfaceNames(workspaceId, input.interfaces),
    input.dev ? undefined : findOwnVersion(workspaceId, 'integration', input.name, input.version),
    requireRoom(workspaceId, 'integrations_owned_count', 1),
    isPublic(input) && !input.dev ? requirePublishable('integration', workspaceId, input.name) : undefined,
  ]);
  changedIntegrationDefinition(EMPTY_INTEGRATION_DEFINITION, { ...input, interfaces }, input.secrets);
  if (taken) {
    throw new ApiError(
      'AlreadyExists',
      `The workspace already has an integration ${input.name} ${input.version}. Update it, or choose another version.`,
    );
  }
}

export async function validateUpdate(workspaceId: string, id: string, input: IntegrationChanges): Promise<void> {
  requireAssets(input);
  const [{ integration, definition }, interfaces] = await Promise.all([
    requireIntegrationWithDefinition(workspaceId, id),
    withInterfaceNames(workspaceId, input.interfaces),
  ]);
  changedIntegrationDefinition(definition, { ...input, interfaces }, input.secrets);
  if (isPublic(input) && !integration.isDev) await requirePublishable('integration', workspaceId, integration.name);
}
