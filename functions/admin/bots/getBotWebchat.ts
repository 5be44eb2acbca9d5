import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { environment } from '#shared/core/environment.ts';
import { ApiError, invalidPayload, notFound } from '#shared/core/errors.ts';
import { requireBotWithDefinition } from '#shared/domain/admin/bots/requireBot.ts';
import { EMBED_TYPES, embedCode } from '#shared/domain/admin/bots/webchatEmbed.ts';
import { webchatInstallations } from '#shared/outbound/installations/webchat.ts';

export const getBotWebchat = adminOperation({
  name: 'getBotWebchat',
  summary: 'Gets HTML that embeds the webchat client in a page, connected to an installation on the bot.',
  method: 'GET',
  path: '/admin/bots/{id}/webchat',
  scope: 'account',
  table: 'reads',
  // The configurations of installations are sealed.
  secrets: 'opens',
  query: z.object({ type: z.enum([...EMBED_TYPES, 'sharableUrl']) }),
  output: z.object({ code: z.string() }),
  statuses: [200],

  handle: async ({ input: { id, type }, workspaceId }) => {
    if (type === 'sharableUrl') {
      throw invalidPayload(
        'Parley does not host a page with the client. Embed the code of the type fullscreen in your own page.',
        'type',
      );
    }
    const { bot, definition } = await requireBotWithDefinition(workspaceId, id);
    if (bot.deletedAtMs !== undefined) throw notFound(`The bot ${id}`);
    const [installation] = webchatInstallations(bot, definition);
    if (!installation) {
      throw new ApiError(
        'ReferenceNotFound',
        'The bot has no installation that the webchat client can use. Install an integration of your workspace named webchat, or set payloadExtensions in the configuration of one named chat.',
      );
    }
    const { chatBaseUrl: apiUrl } = environment;
    return ok({ code: embedCode(type, { apiUrl, clientId: installation.webhookId, botName: bot.name }) });
  },
});
