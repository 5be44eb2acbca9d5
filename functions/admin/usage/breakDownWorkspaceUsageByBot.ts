import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { monthOf } from '#shared/core/calendar.ts';
import { period, usageType } from '#shared/domain/admin/usageView.ts';
import { listChanges, NO_BOT, valueIn } from '#shared/storage/dynamodb/workspace/usage.ts';

export const breakDownWorkspaceUsageByBot = adminOperation({
  name: 'breakDownWorkspaceUsageByBot',
  summary: 'Breaks down a month of one type of usage by bot, highest first.',
  method: 'GET',
  path: '/admin/workspaces/{id}/usages/by-bot',
  scope: 'account',
  workspaceIn: 'id',
  table: 'reads',
  partitions: { reads: ['usage'] },
  query: z.object({ type: usageType(), period: period() }),
  output: z.object({ data: z.array(z.object({ botId: z.string(), value: z.number() })) }),
  statuses: [200],

  handle: async ({ input: { type, period: given = '' }, workspaceId, botLimit, nowMs }) => {
    const month = given || monthOf(nowMs);
    const changes = await listChanges(workspaceId, type, [month]);
    const isVisible = (botId: string) => botId !== NO_BOT && (botLimit?.includes(botId) ?? true);
    const botIds = new Set(changes.map(({ botId }) => botId).filter(isVisible));
    const data = [...botIds].map(botId => ({
      botId,
      value: valueIn(
        type,
        month,
        changes.filter(each => each.botId === botId),
      ),
    }));
    return ok({ data: data.filter(({ value }) => value !== 0).sort((a, b) => b.value - a.value) });
  },
});
