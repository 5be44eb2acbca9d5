/**
 * Budgets of uploads by end users. Whoever knows a webhook can become any number of users, so there is one budget for each
 * user and one for all users of a bot (docs/compatibility.md#webchat).
 */
import { takeFromBudget } from '#shared/dynamodb/rateLimits.ts';
import { environment } from '#shared/environment.ts';
import { ApiError } from '#shared/errors.ts';
import { hashText } from '#shared/ids.ts';

const DAY_MS = 24 * 3600_000;
const MB = 1024 * 1024;
/** An empty file has a record, too. */
const LEAST_BYTES = 64 * 1024;
/** For clocks that run behind. */
const KEPT_SECONDS = 3_600;

/**
 * Takes an upload from today's budgets of its user and bot. An upload that is announced counts, whether it arrives or not.
 * @throws ApiError RateLimited that names the budget and when it is reset: at midnight UTC
 */
export async function takeUpload(
  { botId, webhookId, userId }: { botId: string; webhookId: string; userId: string },
  size: number,
  nowMs: number,
): Promise<void> {
  const { user, bot } = environment.uploadMegabytes;
  await take(`${webhookId} ${userId}`, { name: 'userUploads', whose: 'of this user', megabytes: user, size, nowMs });
  await take(botId, { name: 'botUploads', whose: "of all this bot's users", megabytes: bot, size, nowMs });
}

async function take(
  owner: string,
  {
    name,
    whose,
    megabytes,
    size,
    nowMs,
  }: { name: string; whose: string; megabytes: number; size: number; nowMs: number },
): Promise<void> {
  const day = Math.floor(nowMs / DAY_MS);
  const endSeconds = ((day + 1) * DAY_MS) / 1000;
  const isTaken = await takeFromBudget(hashText('upload budget', name, owner).slice(0, 22), {
    window: day,
    amount: Math.max(size, LEAST_BYTES),
    budget: megabytes * MB,
    expiresAtSeconds: endSeconds + KEPT_SECONDS,
  });
  if (isTaken) return;
  const resetSeconds = Math.ceil(endSeconds - nowMs / 1000);
  throw new ApiError(
    'RateLimited',
    `The uploads ${whose} may have ${megabytes} MB a day. Wait for midnight UTC, or ask the operator for a higher limit.`,
    { metadata: { limit: name, megabytes, resetSeconds } },
  );
}
