/** Returns the writes that make a bot unreachable. A stream consumer then deletes its data. */

import { type Bot, changeBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { moveTotals } from '#shared/storage/dynamodb/bots/botTotals.ts';
import { removeWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { countInstallations, findIntegrations } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { changeGauge } from '#shared/storage/dynamodb/workspace/usage.ts';

export async function endBot(bot: Bot, nowMs: number): Promise<Write[]> {
  const integrationIds = bot.installations.map(({ integrationId }) => integrationId);
  return [
    changeBot(bot, { ...bot, installations: [], deletedAtMs: nowMs, updatedAtMs: nowMs }),
    ...bot.installations.map(({ webhookId }) => removeWebhook(webhookId)),
    ...countInstallations(
      integrationIds.map(integrationId => ({ integrationId, change: -1 })),
      await findIntegrations(integrationIds),
    ),
    ...changeGauge(bot.workspaceId, 'bot_count', -1, { botId: bot.id, nowMs }),
    ...(await moveTotals(bot.id, undefined, nowMs)),
  ];
}
