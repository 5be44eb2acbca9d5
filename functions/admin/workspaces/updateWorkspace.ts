import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { text } from '#shared/core/text.ts';
import { email, name } from '#shared/domain/admin/adminInputs.ts';
import { handle } from '#shared/domain/admin/workspaces/handle.ts';
import { requireWorkspace, showWorkspace, WorkspaceView } from '#shared/domain/admin/workspaces/workspaceView.ts';
import { showWorkspaceInHub } from '#shared/storage/dynamodb/integrations/hub.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { setSpendingLimit } from '#shared/storage/dynamodb/workspace/spend.ts';
import { changeWorkspace, claimHandle, releaseHandle } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const updateWorkspace = adminOperation({
  name: 'updateWorkspace',
  summary:
    'Updates the settings of a workspace. Its handle is unique and can change. `spendingLimit` is in US dollars per month. 0 removes the limit.',
  method: 'PUT',
  path: '/admin/workspaces/{id}',
  scope: 'account',
  grants: 'nothing',
  workspaceIn: 'id',
  table: 'writes',
  partitions: { writes: ['handles', 'hub', 'gauges'] },
  body: z.object({
    name: z.optional(name()),
    spendingLimit: z.optional(z.number().check(z.minimum(0), z.maximum(1_000_000_000))),
    about: z.optional(text(5_000)),
    profilePicture: z.optional(text(20_000)),
    contactEmail: z.optional(email()),
    website: z.optional(text(2_000)),
    socialAccounts: z.optional(z.array(text(2_000)).check(z.maxLength(20))),
    isPublic: z.optional(z.boolean()),
    handle: z.optional(handle()),
  }),
  output: WorkspaceView,
  statuses: [200],

  handle: async ({ input, account, workspaceId, nowMs, commit }) => {
    const { id: _, ...fields } = input;
    const before = await requireWorkspace(workspaceId);
    const after = { ...before, ...fields, updatedAtMs: Math.max(nowMs, before.updatedAtMs + 1) };
    const isNewHandle = fields.handle !== undefined && fields.handle !== before.handle;
    const changed = Object.keys(fields).join(', ');
    return commit(ok(await showWorkspace(after)), [
      changeWorkspace(before, { ...fields, updatedAtMs: after.updatedAtMs }),
      ...(fields.isPublic === undefined ? [] : [showWorkspaceInHub(workspaceId, fields.isPublic)]),
      ...(fields.spendingLimit === undefined ? [] : [setSpendingLimit(workspaceId, fields.spendingLimit)]),
      ...(isNewHandle ? [claimHandle(after.handle!, workspaceId)] : []),
      ...(isNewHandle && before.handle ? [releaseHandle(before.handle, workspaceId)] : []),
      putAudit(
        workspaceId,
        auditActor(account),
        {
          action: changed === 'spendingLimit' ? 'SET_SPENDING_LIMIT' : 'UPDATE_WORKSPACE',
          resourceId: workspaceId,
          resourceName: after.name,
          value: changed,
        },
        nowMs,
      ),
    ]);
  },
});
