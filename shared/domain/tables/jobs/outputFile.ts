import { fileIdOf, randomText } from '#shared/core/ids.ts';
import { SECRET_LENGTH } from '#shared/domain/fileRecords/publicUrl.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { requireStorage } from '#shared/storage/dynamodb/bots/botTotals.ts';
import { putStagedObject } from '#shared/storage/dynamodb/engine/stagedObjects.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { BOT_SCOPE, type FileDraft } from '#shared/storage/dynamodb/files/file.ts';
import { changeFile, findFile } from '#shared/storage/dynamodb/files/files.ts';
import { newFileObject } from '#shared/storage/s3/prefixes.ts';
import type { OutputFile } from './jobRun.ts';

/** Returns the key of a new object, which stays invisible until {@link registerFile}. */
export const newOutputObject = (botId: string, key: string): string =>
  newFileObject(botId, fileIdOf(botId, BOT_SCOPE, key));

export async function putOutput(
  bot: Bot,
  { key, object, contentType }: Omit<OutputFile, 'size'>,
  bytes: Uint8Array,
): Promise<OutputFile> {
  await requireStorage(bot, bytes.length);
  await putStagedObject(object, bytes);
  return { key, object, size: bytes.length, contentType };
}

/** The writes fail with QuotaExceeded if the storage quota is exhausted. */
export async function registerFile(
  bot: Bot,
  { key, object, size, contentType }: OutputFile,
  nowMs: number,
): Promise<{ id: string; writes: Write[] }> {
  const id = fileIdOf(bot.id, BOT_SCOPE, key);
  const before = await findFile(bot.id, id);
  const file: FileDraft = {
    id,
    key,
    scope: BOT_SCOPE,
    owner: { type: 'bot', id: bot.id },
    tags: {},
    metadata: '{}',
    policies: [],
    index: false,
    contentType,
    status: 'upload_completed',
    content: { object, size, contentType },
    secret: before?.secret ?? randomText(SECRET_LENGTH),
    createdAtMs: before?.createdAtMs ?? nowMs,
  };
  return { id, writes: (await changeFile(bot, before, file, nowMs)).writes };
}
