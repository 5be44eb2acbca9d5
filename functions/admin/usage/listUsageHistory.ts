import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { monthsBetween, requireSubject, showUsages, UsageView, usageType } from '#shared/domain/admin/usageView.ts';
import { requireWorkspace } from '#shared/domain/admin/workspaces/workspaceView.ts';

export const listUsageHistory = adminOperation({
  name: 'listUsageHistory',
  summary: 'Lists one type of usage for every month since the workspace was created, latest first.',
  method: 'GET',
  path: '/admin/usages/{id}/history',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['gauges', 'usage'] },
  query: z.object({ type: usageType() }),
  output: z.object({ usages: z.array(UsageView) }),
  statuses: [200],

  handle: async ({ input: { id, type }, workspaceId, botLimit, nowMs }) => {
    const [subject, workspace] = await Promise.all([
      requireSubject({ workspaceId, botLimit }, id),
      requireWorkspace(workspaceId),
    ]);
    return ok({
      usages: await showUsages(workspaceId, {
        subjects: [subject],
        types: [type],
        months: monthsBetween(workspace.createdAtMs, nowMs),
      }),
    });
  },
});
