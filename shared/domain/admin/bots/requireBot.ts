import { notFound } from '#shared/core/errors.ts';
import { type Bot, findBot, findBotWithDefinition } from '#shared/storage/dynamodb/bots/bots.ts';
import { readTogether } from '#shared/storage/dynamodb/engine/readTogether.ts';

/** Returns a bot that is not being deleted. @throws ApiError ResourceNotFound */
export async function requireBot(workspaceId: string, botId: string): Promise<Bot> {
  const bot = await findBot(botId);
  if (bot?.workspaceId !== workspaceId || bot.deletedAtMs !== undefined) throw notFound(`The bot ${botId}`);
  return bot;
}

export const requireBotToChange = (workspaceId: string, botId: string) =>
  requireBotWithDefinition(workspaceId, botId, readTogether);

export async function requireBotWithDefinition(workspaceId: string, botId: string, read?: typeof readTogether) {
  const found = await findBotWithDefinition(botId, read);
  if (found?.bot.workspaceId !== workspaceId) throw notFound(`The bot ${botId}`);
  return found;
}
