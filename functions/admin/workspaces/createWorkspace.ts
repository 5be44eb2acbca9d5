import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { environment } from '#shared/core/environment.ts';
import { ApiError } from '#shared/core/errors.ts';
import { name } from '#shared/domain/admin/adminInputs.ts';
import { newWorkspace } from '#shared/domain/admin/workspaces/newWorkspace.ts';
import { viewWorkspace, WorkspaceView } from '#shared/domain/admin/workspaces/workspaceView.ts';
import { retryConflicts } from '#shared/storage/dynamodb/engine/transaction.ts';
import { type Account, addOwnWorkspace, requireAccount } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { NANODOLLARS } from '#shared/storage/dynamodb/workspace/spend.ts';

/**
 * An account's first workspaces, including deleted ones, that may spend on models. New workspaces would otherwise
 * bypass the ceiling.
 */
const SPENDING_WORKSPACES = 5;

function quotasFor({ workspacesMade = 0 }: Account): Record<string, number> {
  const { ai_spend: most = Math.round(environment.defaultSpendDollars * NANODOLLARS), ...others } =
    environment.defaultQuotas;
  return { ...others, ai_spend: workspacesMade < SPENDING_WORKSPACES ? most : 0 };
}

export const createWorkspace = adminOperation({
  name: 'createWorkspace',
  summary: "Creates a workspace owned by the caller, with the operator's quotas for new workspaces.",
  method: 'POST',
  path: '/admin/workspaces',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  partitions: { appends: ['gauges', 'usage'] },
  body: z.object({ name: name(), billingVersion: z.optional(z.literal('v4')) }),
  output: WorkspaceView,
  statuses: [201],

  handle: async ({ input, account, nowMs, commit }) => {
    if (!environment.mayCreateWorkspaces) {
      throw new ApiError(
        'Forbidden',
        'Only the operator of this deployment creates workspaces. Ask the operator for one.',
      );
    }
    let known: Account | undefined = account;
    return retryConflicts(async () => {
      const owner = known ?? (await requireAccount(account.id));
      known = undefined;
      const { workspace, member, writes } = newWorkspace(owner, input.name, { nowMs, quotas: quotasFor(owner) });
      return commit(created(viewWorkspace(workspace, 0)), [addOwnWorkspace(owner, workspace.id, member.id), ...writes]);
    });
  },
});
