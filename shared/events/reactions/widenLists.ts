import { clock } from '#shared/core/clock.ts';
import { widenBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { findBotCached } from '#shared/storage/dynamodb/bots/cachedBot.ts';
import { widenWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { NOTICE_MS } from '#shared/storage/dynamodb/partitioning/listShards.ts';

/**
 * New records per second and shard. A bot's lists are widened at 100 to 400 records per second. A partition takes 300.
 */
const FAST = 100;

/** Widens the lists of a fast-growing bot before their partitions are saturated. */
export async function widenLists(changes: readonly StreamChange[]): Promise<void> {
  if (changes.length < FAST) return;
  const [{ botId }] = changes as [StreamChange];
  const bot = await findBotCached(botId);
  const nowMs = clock.now();
  if (!bot || bot.deletedAtMs !== undefined || (bot.wideFromMs ?? nowMs) < nowMs) return;
  const wideFromMs = bot.wideFromMs ?? nowMs + NOTICE_MS;
  // Writes the bot first, because readers rely on its record.
  if (bot.wideFromMs === undefined && !(await widenBot(botId, wideFromMs))) return;
  // Later batches repeat the writes until that time, in case of a crash here.
  await Promise.all(bot.installations.map(({ webhookId }) => widenWebhook(webhookId, wideFromMs)));
}
