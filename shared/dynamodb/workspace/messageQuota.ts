/**
 * The quota of messages, which holds without a read more for each message: they are counted after the answer, and the
 * count that reaches the quota marks the webhooks that still bring messages. So a few more come through, those of the
 * second until they are counted and of the half minute in which a webhook is remembered; none is lost.
 */
import { cached } from '#shared/cache.ts';
import { setExhausted } from '#shared/dynamodb/chat/webhooks.ts';
import { monthOf, usagePk, usagePrefix } from '#shared/dynamodb/keys/workspace.ts';
import { queryAll, startingWith } from '#shared/dynamodb/query.ts';
import type { Bot } from './bots.ts';
import { findQuota } from './usage.ts';

const TYPE = 'invocation_calls';
const CACHE_MS = 10_000;
const quotaOf = cached(workspaceId => findQuota(workspaceId, TYPE), { forMs: CACHE_MS, keepsAbsence: true });

/** Marks a bot's webhooks when its workspace has used up its month. Called when something of the bot was counted. */
export async function enforceMessageQuota(bot: Bot, nowMs: number): Promise<void> {
  const quota = await quotaOf(bot.workspaceId);
  if (quota === undefined) return;
  const month = monthOf(nowMs);
  let used = 0;
  const query = { ...startingWith(usagePk(bot.workspaceId), `${usagePrefix(TYPE)}${month}#`), ConsistentRead: true };
  for await (const { n } of queryAll(query)) used += n;
  if (used >= quota) await Promise.all(bot.installations.map(({ webhookId }) => setExhausted(webhookId, month)));
}

/** Forgets that a month was used up, after the quota changed. What still exceeds it is marked again when it comes. */
export async function reopenWebhooks(bots: readonly Bot[]): Promise<void> {
  for (const { installations } of bots) {
    await Promise.all(installations.map(({ webhookId }) => setExhausted(webhookId, undefined)));
  }
}
