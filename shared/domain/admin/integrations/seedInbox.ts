/** Publishes the integration `inbox`, which belongs to the same workspace as the well-known interfaces. */
import { clock } from '#shared/core/clock.ts';
import { ApiError } from '#shared/core/errors.ts';
import { INBOX_ID, SYSTEM_WORKSPACE_ID } from '#shared/core/ids.ts';
import { withInterfaceNames } from '#shared/domain/admin/packages/packageReferences.ts';
import { hitl } from '#shared/domain/admin/packages/wellKnown/conversationInterfaces.ts';
import { inboxDefinition } from '#shared/domain/admin/packages/wellKnown/inboxDefinition.ts';
import { EMPTY_INTEGRATION_DEFINITION } from '#shared/storage/dynamodb/definitions/integrationDefinition.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  findIntegration,
  type Integration,
  putNewIntegration,
} from '#shared/storage/dynamodb/integrations/integrations.ts';
import { findPublicVersion } from '#shared/storage/dynamodb/integrations/integrationVersions.ts';
import { changedIntegration, changedIntegrationDefinition } from './integrationChanges.ts';
import { NewIntegration } from './integrationInputs.ts';

/** `taken`: a workspace published an integration of this name, or the interface, earlier. */
type SeededInbox = 'added' | 'exists' | 'taken';

/** Adds the integration. Idempotent, and safe to run concurrently. Requires the well-known interfaces. */
export const seedInbox = (nowMs = clock.now()): Promise<SeededInbox> => retryConflicts(() => addIfMissing(nowMs));

async function addIfMissing(nowMs: number): Promise<SeededInbox> {
  if (await findIntegration(INBOX_ID)) return 'exists';
  const interfaceId = await findPublicVersion('interface', hitl.name, hitl.version);
  if (interfaceId === undefined) return 'taken';
  const given = NewIntegration.parse(inboxDefinition(interfaceId));
  const input = { ...given, interfaces: await withInterfaceNames(SYSTEM_WORKSPACE_ID, given.interfaces) };
  const definition = changedIntegrationDefinition(EMPTY_INTEGRATION_DEFINITION, input, {});
  const blank: Integration = {
    id: INBOX_ID,
    workspaceId: SYSTEM_WORKSPACE_ID,
    name: input.name,
    version: input.version,
    title: input.name,
    description: '',
    visibility: 'public',
    isDev: false,
    createdAtMs: nowMs,
    updatedAtMs: nowMs - 1,
    signingSecrets: [],
    attributes: {},
    installCount: 0,
    interfaces: [],
    actionNames: [],
    revision: 0,
  };
  const integration = changedIntegration(blank, input, definition, { account: { id: '' }, nowMs });
  try {
    await write(await putNewIntegration(integration, definition));
    return 'added';
  } catch (error) {
    if (error instanceof ApiError && error.type === 'AlreadyExists') return 'taken';
    throw error;
  }
}
