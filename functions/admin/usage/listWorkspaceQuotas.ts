import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { monthOf } from '#shared/core/calendar.ts';
import { period, QuotaView, quotaOf } from '#shared/domain/admin/usageView.ts';
import { findQuotas, USAGE_TYPES } from '#shared/storage/dynamodb/workspace/usage.ts';

export const listWorkspaceQuotas = adminOperation({
  name: 'listWorkspaceQuotas',
  summary: 'Lists the quotas of a workspace for all types of usage.',
  method: 'GET',
  path: '/admin/workspaces/{id}/quotas',
  scope: 'account',
  workspaceIn: 'id',
  table: 'reads',
  partitions: { reads: ['gauges'] },
  query: z.object({ period: period() }),
  output: z.object({ quotas: z.array(QuotaView) }),
  statuses: [200],

  handle: async ({ input: { period: month }, workspaceId, nowMs }) => {
    const quotas = await findQuotas(workspaceId);
    return ok({
      quotas: USAGE_TYPES.map(type => ({ period: month ?? monthOf(nowMs), value: quotaOf(type, quotas), type })),
    });
  },
});
