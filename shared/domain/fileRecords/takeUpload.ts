/** Daily upload budgets per user and per bot, because anyone can create users (docs/api/chat.md#webchat). */
import { DAY_MS } from '#shared/core/calendar.ts';
import { environment } from '#shared/core/environment.ts';
import { ApiError } from '#shared/core/errors.ts';
import { hashText } from '#shared/core/ids.ts';
import { takeBytes } from '#shared/storage/dynamodb/limits/uploadBudgets.ts';

const MB = 1024 * 1024;
/** The minimum cost of an upload, because small files also cost a record. */
const MIN_BYTES = 64 * 1024;
/** Retention of the count, for clock skew. */
const RETENTION_SECONDS = 3_600;

/** Charges an upload to today's budgets (UTC), even if it never arrives. @throws ApiError RateLimited */
export async function takeUpload(
  { botId, webhookId, userId }: { botId: string; webhookId: string; userId: string },
  size: number,
  nowMs: number,
): Promise<void> {
  const { user, bot } = environment.uploadMegabytes;
  await takeFrom(`${webhookId} ${userId}`, {
    name: 'userUploads',
    whose: 'of this user',
    megabytes: user,
    size,
    nowMs,
  });
  await takeFrom(botId, { name: 'botUploads', whose: "of all this bot's users", megabytes: bot, size, nowMs });
}

/**
 * Charges an upload of a member to their own budget. The budget of the bot excludes members, so that end users cannot
 * exhaust it for them. @throws ApiError RateLimited
 */
export const takeMemberUpload = (
  { webhookId, userId }: { webhookId: string; userId: string },
  size: number,
  nowMs: number,
): Promise<void> =>
  takeFrom(`${webhookId} ${userId}`, {
    name: 'userUploads',
    whose: 'of this member',
    megabytes: environment.uploadMegabytes.user,
    size,
    nowMs,
  });

async function takeFrom(
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
  const isTaken = await takeBytes(hashText('upload budget', name, owner).slice(0, 22), {
    day,
    bytes: Math.max(size, MIN_BYTES),
    budgetBytes: megabytes * MB,
    expiresAtSeconds: endSeconds + RETENTION_SECONDS,
  });
  if (isTaken) return;
  const resetSeconds = Math.ceil(endSeconds - nowMs / 1000);
  throw new ApiError(
    'RateLimited',
    `The uploads ${whose} exceed ${megabytes} MB a day. Try again after midnight UTC, or ask the operator to raise the limit.`,
    { metadata: { limit: name, megabytes, resetSeconds }, retryAfterSeconds: resetSeconds },
  );
}
