import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { requireUnlimited } from '#shared/api/auth/callerLimits.ts';
import { created, MEGABYTE } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { awaitRollout } from '#shared/domain/admin/awaitRollout.ts';
import { changedBot, changedDefinition } from '#shared/domain/admin/bots/botChanges.ts';
import { NewBot } from '#shared/domain/admin/bots/botInputs.ts';
import { BotView, viewBot } from '#shared/domain/admin/bots/botView.ts';
import { recurringTimers } from '#shared/domain/admin/bots/recurringEvents.ts';
import { withCode } from '#shared/domain/admin/bots/withCode.ts';
import { grantOfBot } from '#shared/domain/admin/grants/botGrants.ts';
import { newSigningSecret } from '#shared/domain/admin/signingSecrets.ts';
import { mappedCode } from '#shared/domain/admin/sourceMap.ts';
import { type Bot, findBot, putNewBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { recordDeployedCode } from '#shared/storage/dynamodb/code/deployedCode.ts';
import { EMPTY_BOT_DEFINITION } from '#shared/storage/dynamodb/definitions/botDefinition.ts';
import { mayBecomeObject } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { sealSecrets } from '#shared/storage/dynamodb/secrets/sealed.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { changeGauge, requireRoom } from '#shared/storage/dynamodb/workspace/usage.ts';
import { workspaceMustExist } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const createBot = adminOperation({
  name: 'createBot',
  summary:
    'Creates a bot. Its `signingSecret` is shown only once. Its events are delivered to its `url` or, without one, to its `code`, which the platform runs. Its `recurringEvents` fire by cron in UTC.',
  method: 'POST',
  path: '/admin/bots',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  partitions: { reads: ['packages'], writes: ['botVersions', 'recurringEvents', 'gauges'], appends: ['usage'] },
  secrets: 'opens',
  largeValues: 'writes',
  objects: { reads: ['assets'], stages: ['assets'] },
  payloadLimitBytes: 50 * MEGABYTE,
  body: NewBot,
  output: z.object({ bot: BotView }),
  statuses: [201],
  showsSecret: true,

  handle: async ({ input, account, token, workspaceId, role, nowMs, commit }) => {
    const id = randomUUID();
    const code = mappedCode(input);
    const signingSecret = newSigningSecret(id);
    const blank: Bot = {
      id,
      workspaceId,
      name: `bot-${id.slice(0, 8)}`,
      isDev: input.dev ?? false,
      type: 'studio',
      tags: {},
      createdBy: account.id,
      createdAtMs: nowMs,
      updatedAtMs: nowMs - 1,
      signingSecrets: [signingSecret.stored],
      installations: [],
      pluginNames: [],
      version: 0,
    };
    const definition = await changedDefinition(EMPTY_BOT_DEFINITION, input, sealSecrets(id, input.secrets), nowMs);
    const bot = changedBot(blank, input, definition, { account, nowMs });
    requireUnlimited(token, grantOfBot({ bot: blank, definition: EMPTY_BOT_DEFINITION }, { bot, definition }));
    // Rejects before anything is stored.
    if (input.code !== undefined || mayBecomeObject(definition)) await requireRoom(workspaceId, 'bot_count', 1);
    const saved = code === undefined ? [] : await withCode({ bot, definition }, code, account.id, nowMs);
    const answer = await commit(created({ bot: await viewBot(bot, definition, role, signingSecret.value) }), [
      ...(await putNewBot(bot, definition)),
      ...(await recurringTimers(id, {}, input.recurringEvents, nowMs)),
      ...saved,
      workspaceMustExist(workspaceId),
      ...changeGauge(workspaceId, 'bot_count', 1, { botId: id, nowMs }),
      ...recordDeployedCode(workspaceId, account, { kind: 'bot', id }, { before: blank, after: bot }),
      putAudit(
        workspaceId,
        auditActor(account),
        { action: 'CREATE_BOT', resourceId: id, resourceName: bot.name },
        nowMs,
      ),
    ]);
    const deployed = await awaitRollout({ before: blank, after: bot }, () => findBot(id), nowMs);
    return { ...answer, body: { bot: await viewBot(deployed, definition, role, signingSecret.value) } };
  },
});
