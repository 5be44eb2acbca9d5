import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { environment } from '#shared/core/environment.ts';
import { ApiError, invalidPayload, notFound } from '#shared/core/errors.ts';
import { own } from '#shared/core/own.ts';
import { webhookOf } from '#shared/domain/admin/bots/chatConfiguration.ts';
import { requireBotWithDefinition } from '#shared/domain/admin/bots/requireBot.ts';
import { EMBED_TYPES, embedCode } from '#shared/domain/admin/bots/webchatEmbed.ts';
import { widgetTag } from '#shared/domain/admin/bots/widgetEmbed.ts';
import { chatInstallations, webchatInstallations } from '#shared/outbound/installations/webchatInstallations.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { BotDefinition } from '#shared/storage/dynamodb/definitions/botDefinition.ts';

export const getBotWebchat = adminOperation({
  name: 'getBotWebchat',
  summary: 'Gets HTML that embeds the widget or the webchat client in a page, connected to an installation on the bot.',
  method: 'GET',
  path: '/admin/bots/{id}/webchat',
  scope: 'account',
  table: 'reads',
  // The configurations of installations are sealed.
  secrets: 'opens',
  query: z.object({ type: z.enum(['widget', ...EMBED_TYPES, 'sharableUrl']) }),
  output: z.object({ code: z.string() }),
  statuses: [200],

  handle: async ({ input: { id, type }, workspaceId }) => {
    if (type === 'sharableUrl') {
      throw invalidPayload(
        'Parley does not host a page for the client. Embed the code for the type fullscreen in your own page.',
        'type',
      );
    }
    const { bot, definition } = await requireBotWithDefinition(workspaceId, id);
    if (bot.deletedAtMs !== undefined) throw notFound(`The bot ${id}`);
    if (type === 'widget') return ok({ code: widgetCode(bot, definition) });
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

/** @throws ApiError if the deployment has no widget, or the bot has no chat */
function widgetCode(bot: Bot, definition: BotDefinition): string {
  const { consoleUrl, chatBaseUrl, mediaOrigins } = environment;
  if (!consoleUrl) {
    throw invalidPayload('This deployment has no widget. Deploy it with console=on and content=distribution.', 'type');
  }
  const [installation] = chatInstallations(bot, definition);
  const settings = installation && own(definition.installations, installation.alias);
  if (!settings) {
    throw new ApiError('ReferenceNotFound', 'The bot has no enabled chat. Install the integration chat on the bot.');
  }
  const { webhookId, takesFiles = false } = webhookOf(bot.id, installation, settings);
  return widgetTag({
    widgetUrl: new URL('widget.js', consoleUrl).href,
    chatUrl: `${chatBaseUrl}/${webhookId}`,
    mediaOrigins: mediaOrigins?.split(',') ?? [],
    takesFiles,
  });
}
