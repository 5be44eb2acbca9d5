import * as z from 'zod/mini';
import { currentPeriod, period, requireSubject, showUsages, UsageView, usageType } from '#shared/admin/usage.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';

export const getUsage = adminOperation({
  name: 'getUsage',
  summary: 'What the workspace, or a bot of it, uses of something in a month. The id is the one or the other.',
  method: 'GET',
  path: '/admin/usages/{id}',
  scope: 'account',
  table: 'reads',
  query: z.object({ type: usageType(), period: period() }),
  output: z.object({ usage: UsageView }),
  statuses: [200],

  handle: async ({ input, workspaceId, nowMs }) => {
    const subject = await requireSubject(workspaceId, input.id);
    const [usage] = await showUsages(workspaceId, {
      subjects: [subject],
      types: [input.type],
      months: [input.period ?? currentPeriod(nowMs)],
    });
    return ok({ usage: usage! });
  },
});
