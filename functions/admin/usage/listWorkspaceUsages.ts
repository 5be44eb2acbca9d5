import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { monthOf } from '#shared/core/calendar.ts';
import { period, showUsages, UsageView, usageType } from '#shared/domain/admin/usageView.ts';

export const listWorkspaceUsages = adminOperation({
  name: 'listWorkspaceUsages',
  summary: 'Lists one type of usage of a workspace in a month.',
  method: 'GET',
  path: '/admin/workspaces/{id}/usages',
  scope: 'account',
  workspaceIn: 'id',
  table: 'reads',
  partitions: { reads: ['gauges', 'usage'] },
  query: z.object({ type: usageType(), period: period() }),
  output: z.object({ usages: z.array(UsageView) }),
  statuses: [200],

  handle: async ({ input, workspaceId, nowMs }) =>
    ok({
      usages: await showUsages(workspaceId, {
        subjects: [{ id: workspaceId }],
        types: [input.type],
        months: [input.period ?? monthOf(nowMs)],
      }),
    }),
});
