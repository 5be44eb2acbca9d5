import * as z from 'zod/mini';
import { notFound } from '#shared/core/errors.ts';
import { requireBot } from './requireBot.ts';

/** The alias is optional if the integration is installed once. */
export const installationQuery = z.object({ integrationInstanceAlias: z.optional(z.string()) });

export interface NamedInstallation {
  botId: string;
  integrationId: string;
  integrationInstanceAlias?: string | undefined;
}

export async function requireInstallation(
  workspaceId: string,
  { botId, integrationId, integrationInstanceAlias: alias }: NamedInstallation,
) {
  const { installations } = await requireBot(workspaceId, botId);
  const found = installations.find(
    each => each.integrationId === integrationId && (alias === undefined || each.alias === alias),
  );
  if (!found) throw notFound(`The installation of the integration ${integrationId} on the bot ${botId}`);
  return found;
}

/** @throws ApiError ResourceNotFound unless the webhook is that of a chat which is installed on the bot */
export async function requireChatInstallation(workspaceId: string, botId: string, webhookId: string) {
  const bot = await requireBot(workspaceId, botId);
  const installation = bot.installations.find(each => each.webhookId === webhookId && each.isChat);
  if (!installation) throw notFound(`The chat ${webhookId} of the bot ${botId}`);
  return { bot, installation };
}
