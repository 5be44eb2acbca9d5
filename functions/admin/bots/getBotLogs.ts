import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { requireBot } from '#shared/domain/admin/bots/requireBot.ts';
import { LogLineView, logQuery, showLog } from '#shared/domain/admin/logView.ts';

export const getBotLogs = adminOperation({
  name: 'getBotLogs',
  summary: 'Gets the log of a bot for up to the last 30 days, oldest first.',
  method: 'GET',
  path: '/admin/bots/{id}/logs',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['logs'] },
  query: z.object(logQuery),
  output: z.object({ logs: z.array(LogLineView), nextToken: z.optional(z.string()) }),
  statuses: [200],

  handle: async ({ input, workspaceId, nowMs, pageStart, nextToken }) => {
    const { id } = await requireBot(workspaceId, input.id);
    const { logs, next } = await showLog(id, input, { pageStart, nowMs });
    return ok({ logs, nextToken: next && nextToken(next) });
  },
});
