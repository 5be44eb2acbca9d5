/**
 * Reads and writes files. A record changes as a whole, guarded by its version: the loser of a race computes its change
 * again. The same transaction changes the file's list entries, its timers and the workspace's usage.
 *
 * A file's id derives from its key, so both lead to it with one read, and of a hundred concurrent creations one wins.
 */
import { fileIndexingKey, fileKey, fileListing, fileUploadKey } from '#shared/dynamodb/keys/files.ts';
import type { Key } from '#shared/dynamodb/keys/table.ts';
import { botKey } from '#shared/dynamodb/keys/workspace.ts';
import { readItem, readItems } from '#shared/dynamodb/query.ts';
import { removeTimer, setTimer } from '#shared/dynamodb/timers.ts';
import { type Write, WriteConflict } from '#shared/dynamodb/transaction.ts';
import type { BotRef } from '#shared/dynamodb/workspace/botRef.ts';
import { type Bot, parseCurrentBot } from '#shared/dynamodb/workspace/bots.ts';
import { changeTotals } from '#shared/dynamodb/workspace/botTotals.ts';
import { type File, type FileDraft, parseFile } from './file.ts';
import { moveListEntries, putTagEntries } from './fileLists.ts';

export async function findFile(botId: string, fileId: string): Promise<File | undefined> {
  const item = await readItem(fileKey(botId, fileId));
  return item && parseFile(item);
}

/** @returns the files in the order of the ids; undefined for a missing one */
export async function findFiles(botId: string, fileIds: readonly string[]): Promise<(File | undefined)[]> {
  if (fileIds.length === 0) return [];
  const items = await readItems(fileIds.map(id => fileKey(botId, id)));
  return items.map(item => item && parseFile(item));
}

/** A file and its bot, with one call; undefined if either is missing. */
export async function findFileWithBot(botId: string, fileId: string): Promise<{ file: File; bot: Bot } | undefined> {
  const [file, bot] = await readItems([fileKey(botId, fileId), botKey(botId)]);
  return file && bot && { file: parseFile(file), bot: parseCurrentBot(bot) };
}

/** Creates a file, or writes its next version. @returns the file as written, and all writes that belong to it */
export async function changeFile(
  bot: BotRef,
  before: File | undefined,
  draft: FileDraft,
  nowMs: number,
): Promise<{ file: File; writes: Write[] }> {
  const file: File = {
    ...draft,
    updatedAtMs: Math.max(nowMs, (before?.updatedAtMs ?? 0) + 1),
    version: (before?.version ?? 0) + 1,
  };
  const writes = [
    putFile(bot.id, before, file),
    ...moveListEntries(bot.id, before, file),
    ...(await putTagEntries(bot.id, before, file)),
    ...moveTimers(bot.id, before, file),
    ...(await changeTotals(bot, difference(before, file), nowMs)),
  ];
  return { file, writes };
}

/**
 * Creates a file whose upload is announced. It counts nowhere before it has content.
 * @param onRefused the error for a key that is in use
 */
export async function newFile(
  botId: string,
  draft: FileDraft,
  { nowMs, onRefused }: { nowMs: number; onRefused: () => Error },
): Promise<{ file: File; writes: Write[] }> {
  const file: File = { ...draft, updatedAtMs: nowMs, version: 1 };
  const writes = [
    { ...putFile(botId, undefined, file), onRefused },
    ...moveListEntries(botId, undefined, file),
    ...(await putTagEntries(botId, undefined, file)),
    ...moveTimers(botId, undefined, file),
  ];
  return { file, writes };
}

/** Removes a file. Its objects, passages and tag entries follow by the table's stream. */
export const removeFile = async (bot: BotRef, file: File, nowMs: number): Promise<Write[]> => [
  {
    remove: { Key: fileKey(bot.id, file.id), ...isVersion(file) },
    onRefused: () => new WriteConflict(),
  },
  ...moveListEntries(bot.id, file, undefined),
  ...moveTimers(bot.id, file, undefined),
  ...(await changeTotals(bot, difference(file, undefined), nowMs)),
];

const putFile = (botId: string, before: File | undefined, file: File): Write => ({
  put: {
    Item: { ...fileKey(botId, file.id), ...file, ...fileListing(botId, file.scope, file) },
    ...(before ? isVersion(before) : { ConditionExpression: 'attribute_not_exists(pk)' }),
  },
  onRefused: () => new WriteConflict(),
});

const isVersion = ({ version }: File) => ({
  ConditionExpression: 'version = :version',
  ExpressionAttributeValues: { ':version': version },
});

/** Moves the timers of a file: its expiry, and the deadlines of its upload and indexing. */
const moveTimers = (botId: string, before: File | undefined, after: File | undefined): Write[] => {
  const { id } = (after ?? before)!;
  return [
    ...moveTimer(fileKey(botId, id), before?.expiresAtMs, after?.expiresAtMs),
    ...moveTimer(fileUploadKey(botId, id), before?.pending?.untilMs, after?.pending?.untilMs),
    ...moveTimer(fileIndexingKey(botId, id), before?.indexing?.untilMs, after?.indexing?.untilMs),
  ];
};
const moveTimer = (about: Key, beforeMs: number | undefined, afterMs: number | undefined): Write[] => {
  if (beforeMs === afterMs) return [];
  return [afterMs === undefined ? removeTimer(about) : setTimer(about, afterMs)];
};

/** The change of the totals of the bot's files; `n` counts passages. */
const difference = (before: File | undefined, after: File | undefined) => ({
  bytes: (after?.content?.size ?? 0) - (before?.content?.size ?? 0),
  vectorBytes: (after?.indexed?.vectorBytes ?? 0) - (before?.indexed?.vectorBytes ?? 0),
  n: (after?.indexed?.passages ?? 0) - (before?.indexed?.passages ?? 0),
  indexedFiles: Number(after?.indexed !== undefined) - Number(before?.indexed !== undefined),
});
