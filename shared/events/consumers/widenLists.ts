/** Widens the lists of a bot that grows fast, long before a partition of them has all that it can take. */

import { clock } from '#shared/core/clock.ts';
import { widenBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { findBotCached } from '#shared/storage/dynamodb/bots/cachedBot.ts';
import { widenWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import { NOTICE_MS } from '#shared/storage/dynamodb/listShards.ts';
import type { StreamChange } from '#shared/storage/dynamodb/streamChange.ts';

/**
 * New records of one bot in one batch of the stream, which gathers for a second. A batch is of one shard of the stream,
 * and a table has several: a bot is widened at some 100 to 400 records a second. A partition takes 300.
 */
const FAST = 100;

/** @param changes new records of one bot, each of which has a place in one of its lists or leads to one */
export async function widenLists(changes: readonly StreamChange[]): Promise<void> {
  if (changes.length < FAST) return;
  const [{ botId }] = changes as [StreamChange];
  const bot = await findBotCached(botId);
  const nowMs = clock.now();
  if (!bot || bot.deletedAtMs !== undefined || (bot.wideFromMs ?? nowMs) < nowMs) return;
  const wideFromMs = bot.wideFromMs ?? nowMs + NOTICE_MS;
  // The bot first: readers go by it.
  if (bot.wideFromMs === undefined && !(await widenBot(botId, wideFromMs))) return;
  // Until that time the next batches repeat this, in case it is cut short here.
  await Promise.all(bot.installations.map(({ webhookId }) => widenWebhook(webhookId, wideFromMs)));
}
