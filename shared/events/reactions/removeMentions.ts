import { findBotCached } from '#shared/storage/dynamodb/bots/cachedBot.ts';
import { removeMention } from '#shared/storage/dynamodb/chat/mentions.ts';
import { parseNote } from '#shared/storage/dynamodb/chat/notes.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';

/**
 * Removes the mentions of a deleted note, so that counts do not contain them. Idempotent. Mentions of a bot that was
 * deleted or transferred expire: reading omits them.
 */
export async function removeMentions({ event, botId, before }: StreamChange): Promise<void> {
  if (event !== 'REMOVE') return;
  const { id, mentions = [] } = parseNote(before);
  if (mentions.length === 0) return;
  const bot = await findBotCached(botId);
  if (bot) await write(mentions.map(member => removeMention(bot.workspaceId, member.id, id)));
}
