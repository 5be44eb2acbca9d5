import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { monthOf } from '#shared/core/calendar.ts';
import { period, requireSubject, showUsages, UsageView, usageType } from '#shared/domain/admin/usageView.ts';

export const getUsage = adminOperation({
  name: 'getUsage',
  summary: 'Gets one type of usage of the workspace or of a bot in a month. The id selects the subject.',
  method: 'GET',
  path: '/admin/usages/{id}',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['gauges', 'usage'] },
  query: z.object({ type: usageType(), period: period() }),
  output: z.object({ usage: UsageView }),
  statuses: [200],

  handle: async ({ input, workspaceId, botLimit, nowMs }) => {
    const subject = await requireSubject({ workspaceId, botLimit }, input.id);
    const [usage] = await showUsages(workspaceId, {
      subjects: [subject],
      types: [input.type],
      months: [input.period ?? monthOf(nowMs)],
    });
    return ok({ usage: usage! });
  },
});
