import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { invalidPayload, notFound } from '#shared/core/errors.ts';
import { newVersionId } from '#shared/core/ids.ts';
import { displayName, text } from '#shared/core/text.ts';
import { copyAsset } from '#shared/domain/admin/assets.ts';
import { requireBotToChange } from '#shared/domain/admin/bots/requireBot.ts';
import { contentOf, VersionView, viewVersion } from '#shared/domain/admin/bots/versions.ts';
import { botMustBeUnchanged } from '#shared/storage/dynamodb/bots/bots.ts';
import { putVersion, type Version } from '#shared/storage/dynamodb/bots/versions.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';

export const createBotVersion = adminOperation({
  name: 'createBotVersion',
  summary:
    'Saves the current code and definition of a bot under a name, to deploy them again later. Each deployment of code saves a version as well. A bot keeps 50 versions.',
  method: 'POST',
  path: '/admin/bots/{id}/versions',
  scope: 'account',
  grants: 'nothing',
  table: 'writes',
  partitions: { writes: ['botVersions'] },
  secrets: 'opens',
  largeValues: 'writes',
  objects: { reads: ['assets'], stages: ['assets'] },
  body: z.object({ name: displayName(200), description: z.optional(text(2_000)) }),
  output: z.object({ version: VersionView }),
  statuses: [201],

  handle: async ({ input, account, workspaceId, nowMs, commit }) => {
    const { bot, definition } = await requireBotToChange(workspaceId, input.id);
    if (bot.deletedAtMs !== undefined) throw notFound(`The bot ${input.id}`);
    if (bot.codeKey === undefined && bot.url === undefined) {
      throw invalidPayload('The bot has neither code nor a url. Deploy it first.', 'id');
    }
    const version: Version = {
      id: newVersionId(nowMs),
      name: input.name,
      description: input.description,
      isAutomatic: false,
      url: bot.url,
      codeKey: bot.codeKey && (await copyAsset(bot.id, bot.codeKey)),
      createdBy: account.id,
      deployedBy: bot.rollout?.deployedBy,
      createdAtMs: nowMs,
    };
    const change = {
      action: 'UPDATE_BOT' as const,
      resourceId: bot.id,
      resourceName: bot.name,
      value: `version: ${version.id} ${version.name}`,
    };
    return commit(created({ version: viewVersion(bot, version) }), [
      botMustBeUnchanged(bot),
      ...(await putVersion(bot.id, version, contentOf({ bot, definition }), bot.versionId)),
      putAudit(workspaceId, auditActor(account), change, nowMs),
    ]);
  },
});
