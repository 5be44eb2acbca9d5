import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { hashText } from '#shared/core/ids.ts';
import { findBotCached } from '#shared/storage/dynamodb/bots/cachedBot.ts';
import { countFromStream, type StreamedChange } from '#shared/storage/dynamodb/bots/streamedTotals.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { type File, parseFile, totalsChange } from '#shared/storage/dynamodb/files/file.ts';
import { enqueueTotals } from '#shared/storage/queues/totalsJobs.ts';

/** @param changes of one bot's files; each may be redelivered in another batch */
export async function countFiles(changes: readonly StreamChange[]): Promise<void> {
  const counted = changes.flatMap(toCounted);
  if (counted.length === 0) return;
  const bot = await findBotCached(changes[0]!.botId);
  // The deletion of a bot already reverted its totals.
  if (!bot || bot.deletedAtMs !== undefined) return;
  await countFromStream(bot, counted, clock.now());
  if (Math.random() < 1 / environment.totalsCheckedOneIn) await enqueueTotals({ botId: bot.id });
}

function toCounted({ atMs, ...images }: StreamChange): StreamedChange[] {
  const [before, after] = [images.before, images.after].map(item =>
    Object.keys(item).length > 0 ? parseFile(item) : undefined,
  );
  const change = totalsChange(before, after);
  if (after?.isCounted || Object.values(change).every(value => value === 0)) return [];
  return [{ token: tokenOf((after ?? before)!, after === undefined), atMs, change }];
}

const TOKEN_LENGTH = 14;
/** A re-created file has the same id but another secret. */
const tokenOf = ({ id, secret, version }: File, isRemoved: boolean) =>
  hashText('file change', id, secret, String(version), String(isRemoved)).slice(0, TOKEN_LENGTH);
