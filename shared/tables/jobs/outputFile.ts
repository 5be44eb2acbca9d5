/** Files that jobs make: the bot's own, like any that it uploads. */
import { SECRET_LENGTH } from '../../files/publicUrl.ts';
import type { Changed } from '../../files/status.ts';
import { newCopyObject } from '../../storage/files.ts';
import type { Bot } from '../../table/bots.ts';
import { BOT, changeFile, findFile } from '../../table/files.ts';
import { fileIdOf, randomText } from '../../table/ids.ts';
import type { Write } from '../../table/write.ts';
import type { OutputFile } from './jobRun.ts';

/** An object for what is to be known by a key. Until a file says that it is its content, nobody sees it. */
export const newOutputObject = (botId: string, key: string): string => newCopyObject(botId, fileIdOf(botId, BOT, key));

/** @throws ApiError QuotaExceeded when it is written, where there is no room */
export async function registerFile(
  bot: Bot,
  { key, object, size, contentType }: OutputFile,
  nowMs: number,
): Promise<{ id: string; writes: Write[] }> {
  const id = fileIdOf(bot.id, BOT, key);
  const before = await findFile(bot.id, id);
  const file: Changed = {
    id,
    key,
    scope: BOT,
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
