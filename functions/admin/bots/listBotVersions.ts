import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { requireBot } from '#shared/domain/admin/bots/requireBot.ts';
import { VersionView, viewVersion } from '#shared/domain/admin/bots/versions.ts';
import { listVersions } from '#shared/storage/dynamodb/bots/versions.ts';

export const listBotVersions = adminOperation({
  name: 'listBotVersions',
  summary: 'Lists the versions of a bot, newest first: the last deployments and the named versions, at most 50.',
  method: 'GET',
  path: '/admin/bots/{id}/versions',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['botVersions'] },
  output: z.object({ versions: z.array(VersionView) }),
  statuses: [200],

  handle: async ({ input, workspaceId }) => {
    const bot = await requireBot(workspaceId, input.id);
    const versions = await listVersions(bot.id);
    return ok({ versions: versions.map(version => viewVersion(bot, version)) });
  },
});
