import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { trusted } from '#shared/api/verbatim.ts';
import { notFound } from '#shared/core/errors.ts';
import { anyObject } from '#shared/domain/admin/adminInputs.ts';
import { codeUrl } from '#shared/domain/admin/assets.ts';
import { requireBot } from '#shared/domain/admin/bots/requireBot.ts';
import { VersionView, viewVersion } from '#shared/domain/admin/bots/versions.ts';
import { findVersion } from '#shared/storage/dynamodb/bots/versions.ts';

export const getBotVersion = adminOperation({
  name: 'getBotVersion',
  summary: 'Gets a version of a bot: a URL of its code, which is valid for an hour, and its definition.',
  method: 'GET',
  path: '/admin/bots/{id}/versions/{versionId}',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['botVersions'] },
  largeValues: 'reads',
  objects: { reads: ['assets'] },
  output: z.object({ url: z.string(), version: VersionView, definition: trusted(anyObject()) }),
  statuses: [200],

  handle: async ({ input, workspaceId }) => {
    const bot = await requireBot(workspaceId, input.id);
    const found = await findVersion(bot.id, input.versionId);
    if (!found) throw notFound(`The version ${input.versionId}`);
    const { version, content } = found;
    const { configurationSchema: schema, tagDefinitions, ...definition } = content;
    return ok({
      url: await codeUrl(version.codeKey),
      version: viewVersion(bot, version),
      definition: {
        ...definition,
        configuration: { schema },
        user: { tags: tagDefinitions.user },
        conversation: { tags: tagDefinitions.conversation },
        message: { tags: tagDefinitions.message },
      },
    });
  },
});
