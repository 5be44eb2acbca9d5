import * as z from 'zod/mini';
import { requireUnlimited } from '#shared/api/auth/callerLimits.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { notFound } from '#shared/core/errors.ts';
import { copyAsset } from '#shared/domain/admin/assets.ts';
import { awaitRollout } from '#shared/domain/admin/awaitRollout.ts';
import { BOT_STATUSES, statusOfBot } from '#shared/domain/admin/bots/botView.ts';
import { recurringTimers } from '#shared/domain/admin/bots/recurringEvents.ts';
import { requireBotToChange } from '#shared/domain/admin/bots/requireBot.ts';
import { dependencyWarnings, restored } from '#shared/domain/admin/bots/versions.ts';
import { DEPLOYMENT } from '#shared/domain/admin/grants/deployment.ts';
import { changeBot, findBot, putBotDefinition } from '#shared/storage/dynamodb/bots/bots.ts';
import { findVersion, versionMustExist } from '#shared/storage/dynamodb/bots/versions.ts';
import { recordDeployedCode } from '#shared/storage/dynamodb/code/deployedCode.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { putLogLine } from '#shared/storage/dynamodb/workspace/logs.ts';

export const deployBotVersion = adminOperation({
  name: 'deployBotVersion',
  summary:
    'Deploys a version of a bot: replaces its code and its definition in one write. Secrets, configurations and installed integrations stay. The response follows when the code takes calls, or after 25 seconds with `status: deploying`.',
  method: 'POST',
  path: '/admin/bots/{id}/versions/deploy',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  partitions: { reads: ['botVersions'], writes: ['recurringEvents'], appends: ['logs'] },
  secrets: 'opens',
  largeValues: 'writes',
  objects: { reads: ['assets'], stages: ['assets'] },
  body: z.object({ versionId: z.string() }),
  output: z.object({ status: z.enum(BOT_STATUSES), statusReason: z.optional(z.string()) }),
  statuses: [200],

  handle: async ({ input, account, token, workspaceId, nowMs, commit }) => {
    requireUnlimited(token, DEPLOYMENT);
    const [before, found] = await Promise.all([
      requireBotToChange(workspaceId, input.id),
      findVersion(input.id, input.versionId),
    ]);
    if (before.bot.deletedAtMs !== undefined) throw notFound(`The bot ${input.id}`);
    if (!found) throw notFound(`The version ${input.versionId}`);
    const { version, content } = found;
    const codeKey = version.codeKey && (await copyAsset(input.id, version.codeKey));
    const after = restored(before, found, { codeKey, accountId: account.id, nowMs });
    const events = before.definition.recurringEvents;
    const removed = Object.fromEntries(Object.keys(events).map(name => [name, null]));
    const lines = [
      { level: 'info', message: `The version ${version.name} is deployed.` } as const,
      ...dependencyWarnings(content, before.bot.installations).map(message => ({ level: 'warn', message }) as const),
    ];
    const { bot } = after;
    await commit(ok({ status: 'deploying' }), [
      changeBot(before.bot, bot),
      await putBotDefinition(bot.id, after.definition),
      versionMustExist(bot.id, version.id),
      ...(await recurringTimers(bot.id, events, { ...removed, ...content.recurringEvents }, nowMs)),
      ...lines.map(line => putLogLine(bot.id, { timestampMs: nowMs, ...line })),
      ...recordDeployedCode(workspaceId, account, { kind: 'bot', id: bot.id }, { before: before.bot, after: bot }),
      putAudit(
        workspaceId,
        auditActor(account),
        { action: 'DEPLOY_BOT', resourceId: bot.id, resourceName: bot.name, value: `version: ${version.id}` },
        nowMs,
      ),
    ]);
    const deployed = await awaitRollout({ before: before.bot, after: bot }, () => findBot(bot.id), nowMs);
    return ok({ status: statusOfBot(deployed), statusReason: deployed.rollout?.failure });
  },
});
