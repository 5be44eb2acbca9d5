import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { handle } from '#shared/domain/admin/workspaces/handle.ts';
import { findHandleOwners } from '#shared/storage/dynamodb/workspace/workspaces.ts';

const SUGGESTIONS = 3;
const STEM_LENGTH = 45;

const suggestionsFor = (taken: string) => {
  const stem = taken.slice(0, STEM_LENGTH).replace(/-+$/, '');
  return ['bots', 'team', 'hq', '2', '3', '4', '5', '6', '7', '8'].map(ending => `${stem}-${ending}`);
};

export const checkHandleAvailability = adminOperation({
  name: 'checkHandleAvailability',
  summary:
    'Checks the availability of a handle and suggests alternatives. `usedBy` is the workspace with the handle, if the caller is its member.',
  method: 'PUT',
  path: '/admin/workspaces/handle-availability',
  scope: 'account',
  grants: 'nothing',
  table: 'reads',
  partitions: { reads: ['handles'] },
  body: z.object({ handle: handle() }),
  output: z.object({ available: z.boolean(), suggestions: z.array(z.string()), usedBy: z.optional(z.string()) }),
  statuses: [200],

  handle: async ({ input: { handle }, account }) => {
    const candidates = suggestionsFor(handle);
    const owners = await findHandleOwners([handle, ...candidates]);
    const owner = owners.get(handle);
    if (owner === undefined) return ok({ available: true, suggestions: [] });
    return ok({
      available: false,
      suggestions: candidates.filter(each => !owners.has(each)).slice(0, SUGGESTIONS),
      usedBy: account.memberships[owner] ? owner : undefined,
    });
  },
});
