import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { oneOrMore } from '#shared/api/platform/queryInputs.ts';
import { monthOf } from '#shared/core/calendar.ts';
import { period, requireSubject, showUsages, UsageView, usageType } from '#shared/domain/admin/usageView.ts';
import type { UsageType } from '#shared/storage/dynamodb/workspace/usage.ts';

export const getMultipleUsages = adminOperation({
  name: 'getMultipleUsages',
  summary: 'Gets several types of usage of several subjects in a month, as `getUsage` for each combination.',
  method: 'GET',
  path: '/admin/usages/multiple',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['gauges', 'usage'] },
  query: z.object({ types: oneOrMore(usageType()), ids: oneOrMore(z.string()), period: period() }),
  output: z.object({ usages: z.array(UsageView) }),
  statuses: [200],

  handle: async ({ input: { types, ids, period: month }, workspaceId, botLimit, nowMs }) => {
    const subjects = await Promise.all([...new Set(ids)].map(id => requireSubject({ workspaceId, botLimit }, id)));
    const usages = await showUsages(workspaceId, {
      subjects,
      types: [...new Set(types)] as UsageType[],
      months: [month ?? monthOf(nowMs)],
    });
    return ok({ usages });
  },
});
