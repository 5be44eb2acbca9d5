import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { SYSTEM_WORKSPACE_ID } from '#shared/core/ids.ts';
import type { InterfaceDefinition } from '#shared/domain/admin/packages/definitions.ts';
import { changedInterface } from '#shared/domain/admin/packages/packageChanges.ts';
import { InterfaceChanges } from '#shared/domain/admin/packages/packageInputs.ts';
import { InterfaceView, viewInterface } from '#shared/domain/admin/packages/packageView.ts';
import { requireVisibleDefinition } from '#shared/domain/admin/packages/requirePackage.ts';
import { isSameInterface } from '#shared/domain/admin/packages/sameInterface.ts';
import { updatedPackage } from '#shared/domain/admin/packages/write.ts';
import type { Package } from '#shared/storage/dynamodb/integrations/packages.ts';

const isDeployment = ({ entities, events, actions, channels }: z.infer<typeof InterfaceChanges>) =>
  [entities, events, actions, channels].some(part => part !== undefined);

const isWellKnown = ({ workspaceId }: Package) => workspaceId === SYSTEM_WORKSPACE_ID;

export const updateInterface = adminOperation({
  name: 'updateInterface',
  summary: 'Updates an interface of the workspace. Maps change key by key, and null removes a key.',
  method: 'PUT',
  path: '/admin/interfaces/{id}',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  partitions: { reads: ['handles'], writes: ['packages', 'hub'] },
  largeValues: 'writes',
  objects: { reads: ['assets'], stages: ['assets'] },
  payloadLimitBytes: 10 * MEGABYTE,
  body: InterfaceChanges,
  output: z.object({ interface: InterfaceView }),
  statuses: [200],

  handle: async call => {
    const { input, workspaceId, commit } = call;
    const before = await requireVisibleDefinition<InterfaceDefinition>('interface', workspaceId, input.id);
    const { found } = before;
    if (found.workspaceId !== workspaceId && !isWellKnown(found)) throw notFound(`The interface ${input.id}`);
    const definition = changedInterface(before.definition, input);
    if (isWellKnown(found)) {
      // The CLI updates the public interface of the same name with a complete definition.
      if (isDeployment(input) && isSameInterface(before.definition, definition)) {
        return ok({ interface: await viewInterface(found, before.definition) });
      }
      throw new ApiError(
        'Forbidden',
        `The interface ${found.name} ${found.version} belongs to the platform, which accepts only the same definition. Deploy another one under another name.`,
      );
    }
    const { after, writes } = await updatedPackage(call, before, input, definition);
    return commit(ok({ interface: await viewInterface(after, definition) }), writes);
  },
});
