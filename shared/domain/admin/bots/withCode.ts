import { storeText } from '#shared/domain/admin/assets.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { putVersion } from '#shared/storage/dynamodb/bots/versions.ts';
import type { BotDefinition } from '#shared/storage/dynamodb/definitions/botDefinition.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { automaticVersion, contentOf } from './versions.ts';

/**
 * Stores the code of a bot that is deployed, and sets its keys. Returns the writes of the version of this deployment,
 * which has its own copy of the code.
 */
export async function withCode(
  state: { bot: Bot; definition: BotDefinition },
  code: string,
  accountId: string,
  nowMs: number,
): Promise<Write[]> {
  const { bot } = state;
  const [own, copy] = await Promise.all([storeText(bot.id, code), storeText(bot.id, code)]);
  const version = automaticVersion(bot, copy, accountId, nowMs);
  const writes = await putVersion(bot.id, version, contentOf(state), bot.versionId);
  bot.codeKey = own;
  bot.versionId = version.id;
  return writes;
}
