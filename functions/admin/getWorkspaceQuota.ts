import * as z from 'zod/mini';
import { currentPeriod, period, QuotaView, quotaOf, usageType } from '#shared/admin/usage.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';
import { findQuotas } from '#shared/dynamodb/workspace/usage.ts';

export const getWorkspaceQuota = adminOperation({
  name: 'getWorkspaceQuota',
  summary: 'How much a workspace may have of something. The operator sets it; 9007199254740991 is as much as it likes.',
  method: 'GET',
  path: '/admin/workspaces/{id}/quota',
  scope: 'account',
  workspaceIn: 'id',
  table: 'reads',
  query: z.object({ type: usageType(), period: period() }),
  output: z.object({ quota: QuotaView }),
  statuses: [200],

  handle: async ({ input: { type, period: month }, workspaceId, nowMs }) => {
    const value = quotaOf(type, await findQuotas(workspaceId));
    return ok({ quota: { period: month ?? currentPeriod(nowMs), value, type } });
  },
});
