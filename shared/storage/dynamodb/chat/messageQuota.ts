/**
 * The monthly quota of messages, enforced without an extra read per message: messages are counted after the answer, and
 * the count that reaches the quota marks the bot's webhooks as exhausted. A few more get through: those of the second
 * until they are counted and of the 30 s for which a webhook is cached.
 */
import { cached } from '#shared/core/cache.ts';
import { monthOf } from '#shared/core/calendar.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { usageRange } from '#shared/storage/dynamodb/keys/workspace.ts';
import { between, queryAll } from '#shared/storage/dynamodb/query.ts';
import { findQuota } from '#shared/storage/dynamodb/workspace/usage.ts';
import { setExhausted } from './webhooks.ts';

const TYPE = 'invocation_calls';
const CACHE_MS = 10_000;
const quotaOf = cached(workspaceId => findQuota(workspaceId, TYPE), { forMs: CACHE_MS, keepsAbsence: true });

/**
 * Marks a bot's webhooks when its workspace has used up the month's quota. Called after the bot's messages are counted.
 */
export async function enforceMessageQuota(bot: Bot, nowMs: number): Promise<void> {
  const quota = await quotaOf(bot.workspaceId);
  if (quota === undefined) return;
  const month = monthOf(nowMs);
  let used = 0;
  const query = { ...between(usageRange(bot.workspaceId, TYPE, month, month)), ConsistentRead: true };
  for await (const { n } of queryAll(query)) used += n;
  if (used < quota) return;
  // The mark stays, so it must not rest on a quota that was raised since it was cached.
  if (used < ((await findQuota(bot.workspaceId, TYPE)) ?? Number.POSITIVE_INFINITY)) return;
  await Promise.all(bot.installations.map(({ webhookId }) => setExhausted(webhookId, month)));
}

/** Clears the marks after the quota changed. A bot that still exceeds it is marked again with its next message. */
export async function reopenWebhooks(bots: readonly Bot[]): Promise<void> {
  for (const { installations } of bots) {
    await Promise.all(installations.map(({ webhookId }) => setExhausted(webhookId, undefined)));
  }
}
