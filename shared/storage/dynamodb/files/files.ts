/** Files are replaced as a whole with optimistic locking. Ids derive from keys, so one of many creates succeeds. */

import type { BotRef } from '#shared/storage/dynamodb/bots/botRef.ts';
import { type Bot, parseCurrentBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { countIfLarge } from '#shared/storage/dynamodb/bots/botTotals.ts';
import { readItem, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { type Write, WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { fileIndexingKey, fileKey } from '#shared/storage/dynamodb/keys/files.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { botKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { removeTimer, setTimer } from '#shared/storage/dynamodb/timers/timers.ts';
import { type File, type FileDraft, parseFile, totalsChange } from './file.ts';
import { listingOf, moveSharedEntry, putTagEntries } from './fileLists.ts';

export async function findFile(botId: string, fileId: string): Promise<File | undefined> {
  const item = await readItem(fileKey(botId, fileId));
  return item && parseFile(item);
}

export async function findFiles(botId: string, fileIds: readonly string[]): Promise<(File | undefined)[]> {
  if (fileIds.length === 0) return [];
  const items = await readItems(fileIds.map(id => fileKey(botId, id)));
  return items.map(item => item && parseFile(item));
}

export async function findFileWithBot(botId: string, fileId: string): Promise<{ file: File; bot: Bot } | undefined> {
  const [file, bot] = await readItems([fileKey(botId, fileId), botKey(botId)]);
  return file && bot && { file: parseFile(file), bot: parseCurrentBot(bot) };
}

interface FileChange {
  file: File;
  writes: Write[];
}

export const changeFile = (
  bot: BotRef,
  before: File | undefined,
  draft: FileDraft,
  nowMs: number,
): Promise<FileChange> =>
  nextVersion(bot, before, { ...draft, updatedAtMs: Math.max(nowMs, (before?.updatedAtMs ?? 0) + 1) }, nowMs);

/** Writes a change by the platform. Keeps `updatedAt`, and the position in the list by update. */
export const advanceFile = (bot: BotRef, before: File, draft: FileDraft, nowMs: number): Promise<FileChange> =>
  nextVersion(bot, before, { ...draft, updatedAtMs: before.updatedAtMs }, nowMs);

async function nextVersion(
  bot: BotRef,
  before: File | undefined,
  draft: Omit<File, 'version'>,
  nowMs: number,
): Promise<FileChange> {
  const counting = await countIfLarge(bot, totalsChange(before, draft as File), nowMs);
  const file: File = { ...draft, version: (before?.version ?? 0) + 1, isCounted: counting && true };
  const writes = [
    putFile(bot.id, before, file),
    ...moveSharedEntry(bot.id, before, file),
    ...(await putTagEntries(bot.id, before, file)),
    ...moveTimers(bot.id, before, file),
    ...(counting ?? []),
  ];
  return { file, writes };
}

export async function newFile(
  botId: string,
  draft: FileDraft,
  { nowMs, onRefused }: { nowMs: number; onRefused: () => Error },
): Promise<{ file: File; writes: Write[] }> {
  const file: File = { ...draft, updatedAtMs: nowMs, version: 1 };
  const writes = [
    { ...putFile(botId, undefined, file), onRefused },
    ...moveSharedEntry(botId, undefined, file),
    ...(await putTagEntries(botId, undefined, file)),
    ...moveTimers(botId, undefined, file),
  ];
  return { file, writes };
}

/** Deletes a file. A large one is emptied first: the stream cannot detect that a deleted item was counted. */
export async function removeFile(bot: BotRef, file: File, nowMs: number): Promise<Write[]> {
  const emptied = await emptyIfLarge(bot, file, nowMs);
  return [
    {
      remove: { Key: fileKey(bot.id, file.id), ...isVersion(emptied) },
      onRefused: () => new WriteConflict(),
    },
    ...moveSharedEntry(bot.id, emptied, undefined),
    ...moveTimers(bot.id, emptied, undefined),
  ];
}

async function emptyIfLarge(bot: BotRef, file: File, nowMs: number): Promise<File> {
  const isLarge = (await countIfLarge(bot, totalsChange(file, undefined), nowMs)) !== undefined;
  if (!isLarge) return file;
  const { file: emptied, writes } = await advanceFile(
    bot,
    file,
    { ...file, content: undefined, indexed: undefined },
    nowMs,
  );
  await write(writes);
  return emptied;
}

const putFile = (botId: string, before: File | undefined, file: File): Write => ({
  put: {
    Item: { ...fileKey(botId, file.id), ...file, ...listingOf(botId, file) },
    ...(before ? isVersion(before) : { ConditionExpression: 'attribute_not_exists(pk)' }),
  },
  onRefused: () => new WriteConflict(),
});

const isVersion = ({ version }: File) => ({
  ConditionExpression: 'version = :version',
  ExpressionAttributeValues: { ':version': version },
});

/** Moves the timers of expiry and indexing. Uploads share timers (`uploadTimers.ts`). */
const moveTimers = (botId: string, before: File | undefined, after: File | undefined): Write[] => {
  const { id } = (after ?? before)!;
  return [
    ...moveTimer(fileKey(botId, id), before?.expiresAtMs, after?.expiresAtMs),
    ...moveTimer(fileIndexingKey(botId, id), before?.indexing?.untilMs, after?.indexing?.untilMs),
  ];
};
const moveTimer = (about: Key, beforeMs: number | undefined, afterMs: number | undefined): Write[] => {
  if (beforeMs === afterMs) return [];
  return [afterMs === undefined ? removeTimer(about) : setTimer(about, afterMs)];
};
