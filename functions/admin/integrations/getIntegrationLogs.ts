import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { requireIntegration } from '#shared/domain/admin/integrations/requireIntegration.ts';
import { LogLineView, logQuery, showLog } from '#shared/domain/admin/logView.ts';

export const getIntegrationLogs = adminOperation({
  name: 'getIntegrationLogs',
  summary: 'Gets the log of an integration for up to the last 30 days, oldest first.',
  method: 'GET',
  path: '/admin/integrations/{id}/logs',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['logs'] },
  query: z.object(logQuery),
  output: z.object({ logs: z.array(LogLineView), nextToken: z.optional(z.string()) }),
  statuses: [200],

  handle: async ({ input, workspaceId, nowMs, pageStart, nextToken }) => {
    const { id } = await requireIntegration(workspaceId, input.id);
    const { logs, next } = await showLog(id, input, { pageStart, nowMs });
    return ok({ logs, nextToken: next && nextToken(next) });
  },
});
