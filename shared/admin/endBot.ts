/** The end of a bot: nobody reaches it any more, and the table's stream has its data swept. */
import { type Bot, changeBot } from '../table/bots.ts';
import { countInstallation } from '../table/integrations.ts';
import { changeLevel } from '../table/usage.ts';
import { removeWebhook } from '../table/webhooks.ts';
import type { Write } from '../table/write.ts';

export async function endBot(bot: Bot, nowMs: number): Promise<Write[]> {
  const counts = new Map<string, number>();
  for (const { integrationId } of bot.installations) counts.set(integrationId, (counts.get(integrationId) ?? 0) - 1);
  return [
    ...(await changeBot(bot, { ...bot, installations: [], deletedAtMs: nowMs, updatedAtMs: nowMs })),
    ...bot.installations.map(({ webhookId }) => removeWebhook(webhookId)),
    ...[...counts].map(([integrationId, change]) => countInstallation(integrationId, change)),
    ...changeLevel(bot.workspaceId, 'bot_count', -1, { botId: bot.id, nowMs }),
  ];
}
