import * as z from 'zod/mini';
import { monthsBetween, requireSubject, showUsages, UsageView, usageType } from '#shared/admin/usage.ts';
import { requireWorkspace } from '#shared/admin/workspaces.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';

export const listUsageHistory = adminOperation({
  name: 'listUsageHistory',
  summary: 'What the workspace, or a bot of it, used of something in every month of its life, latest first.',
  method: 'GET',
  path: '/admin/usages/{id}/history',
  scope: 'account',
  table: 'reads',
  query: z.object({ type: usageType() }),
  output: z.object({ usages: z.array(UsageView) }),
  statuses: [200],

  handle: async ({ input: { id, type }, workspaceId, nowMs }) => {
    const [subject, workspace] = await Promise.all([requireSubject(workspaceId, id), requireWorkspace(workspaceId)]);
    return ok({
      usages: await showUsages(workspaceId, {
        subjects: [subject],
        types: [type],
        months: monthsBetween(workspace.createdAtMs, nowMs),
      }),
    });
  },
});
