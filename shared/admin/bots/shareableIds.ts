/** The installation that a shareable id is about. */
import * as z from 'zod/mini';
import { findShareableId } from '#shared/dynamodb/workspace/shareableIds.ts';
import { notFound } from '#shared/errors.ts';
import { requireBot } from './requireBot.ts';

/** The alias may be left out where the integration is installed once. */
export const shareableQuery = z.object({ integrationInstanceAlias: z.optional(z.string()) });

interface Asked {
  botId: string;
  integrationId: string;
  integrationInstanceAlias?: string | undefined;
}

/** @throws ApiError ResourceNotFound */
export async function requireInstallation(
  workspaceId: string,
  { botId, integrationId, integrationInstanceAlias: alias }: Asked,
) {
  const { installations } = await requireBot(workspaceId, botId);
  const found = installations.find(
    each => each.integrationId === integrationId && (alias === undefined || each.alias === alias),
  );
  if (!found) throw notFound(`The installation of the integration ${integrationId} on the bot ${botId}`);
  return found;
}

/** @throws ApiError ResourceNotFound */
export async function requireShareableId(workspaceId: string, asked: Asked) {
  const installation = await requireInstallation(workspaceId, asked);
  const found = await findShareableId(asked.botId, installation);
  if (!found) throw notFound(`A shareable id of the installation ${installation.alias}`);
  return { installation, found };
}
