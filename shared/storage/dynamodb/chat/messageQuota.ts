/**
 * Enforces the quota when messages are counted, so that no message costs an extra read. Uncounted messages may exceed
 * it.
 */
import { cached } from '#shared/core/cache.ts';
import { monthOf } from '#shared/core/calendar.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { between, queryAll } from '#shared/storage/dynamodb/engine/query.ts';
import { usageRange } from '#shared/storage/dynamodb/keys/workspace.ts';
import { findQuota } from '#shared/storage/dynamodb/workspace/usage.ts';
import { setExhausted } from './webhooks.ts';

const TYPE = 'invocation_calls';
const CACHE_MS = 10_000;
const quotaOf = cached(workspaceId => findQuota(workspaceId, TYPE), { forMs: CACHE_MS, keepsAbsence: true });

export async function enforceMessageQuota(bot: Bot, nowMs: number): Promise<void> {
  const quota = await quotaOf(bot.workspaceId);
  if (quota === undefined) return;
  const month = monthOf(nowMs);
  let used = 0;
  const query = { ...between(usageRange(bot.workspaceId, TYPE, month, month)), ConsistentRead: true };
  for await (const { n } of queryAll(query)) used += n;
  if (used < quota) return;
  // The mark is durable, so it must not be based on a cached quota.
  if (used < ((await findQuota(bot.workspaceId, TYPE)) ?? Number.POSITIVE_INFINITY)) return;
  await Promise.all(bot.installations.map(({ webhookId }) => setExhausted(webhookId, month)));
}

/** Clears the marks after a quota change. The next message marks a bot again that still exceeds it. */
export async function reopenWebhooks(bots: readonly Bot[]): Promise<void> {
  for (const { installations } of bots) {
    await Promise.all(installations.map(({ webhookId }) => setExhausted(webhookId, undefined)));
  }
}
