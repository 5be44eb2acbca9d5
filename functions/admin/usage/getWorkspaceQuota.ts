import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { monthOf } from '#shared/core/calendar.ts';
import { period, QuotaView, quotaOf, usageType } from '#shared/domain/admin/usageView.ts';
import { findQuotas } from '#shared/storage/dynamodb/workspace/usage.ts';

export const getWorkspaceQuota = adminOperation({
  name: 'getWorkspaceQuota',
  summary:
    'Gets the quota of a workspace for one type of usage. The operator sets it; 9007199254740991 means unlimited.',
  method: 'GET',
  path: '/admin/workspaces/{id}/quota',
  scope: 'account',
  workspaceIn: 'id',
  table: 'reads',
  partitions: { reads: ['gauges'] },
  query: z.object({ type: usageType(), period: period() }),
  output: z.object({ quota: QuotaView }),
  statuses: [200],

  handle: async ({ input: { type, period: month }, workspaceId, nowMs }) => {
    const value = quotaOf(type, await findQuotas(workspaceId));
    return ok({ quota: { period: month ?? monthOf(nowMs), value, type } });
  },
});
