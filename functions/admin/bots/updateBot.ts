import * as z from 'zod/mini';
import { requireUnlimited } from '#shared/api/auth/callerLimits.ts';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { notFound } from '#shared/core/errors.ts';
import { awaitRollout } from '#shared/domain/admin/awaitRollout.ts';
import { changedBot, changedDefinition } from '#shared/domain/admin/bots/botChanges.ts';
import { BotChanges } from '#shared/domain/admin/bots/botInputs.ts';
import { BotView, viewBot } from '#shared/domain/admin/bots/botView.ts';
import { changedInstallations } from '#shared/domain/admin/bots/installations.ts';
import { recurringTimers } from '#shared/domain/admin/bots/recurringEvents.ts';
import { registerInstallations } from '#shared/domain/admin/bots/registerInstallations.ts';
import { removalWarnings } from '#shared/domain/admin/bots/removedIntegrations.ts';
import { requireBotToChange } from '#shared/domain/admin/bots/requireBot.ts';
import { withCode } from '#shared/domain/admin/bots/withCode.ts';
import { grantOfBot } from '#shared/domain/admin/grants/botGrants.ts';
import { mappedCode } from '#shared/domain/admin/sourceMap.ts';
import { registrationTimer } from '#shared/outbound/installations/registration.ts';
import { changeBot, findBot, putBotDefinition } from '#shared/storage/dynamodb/bots/bots.ts';
import { recordDeployedCode } from '#shared/storage/dynamodb/code/deployedCode.ts';
import { sealSecrets } from '#shared/storage/dynamodb/secrets/sealed.ts';
import { type AuditEntry, auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { putLogLine } from '#shared/storage/dynamodb/workspace/logs.ts';

export const updateBot = adminOperation({
  name: 'updateBot',
  summary:
    'Updates a bot. Maps change key by key, and null removes a key. Integrations are installed, changed and uninstalled by alias and registered at their endpoints. Their `status` contains the outcome. With `code`, the response follows when the new code takes calls, or after 25 seconds with `status: deploying`.',
  method: 'PUT',
  path: '/admin/bots/{id}',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  // A different integration must not inherit the files of the former one.
  partitions: {
    reads: ['files', 'knowledgeBases', 'packages'],
    writes: ['botVersions', 'recurringEvents', 'webhooks', 'widgets'],
    appends: ['logs'],
  },
  callsEndpoints: true,
  largeValues: 'writes',
  objects: { reads: ['assets'], stages: ['assets'] },
  payloadLimitBytes: 50 * MEGABYTE,
  body: BotChanges,
  output: z.object({ bot: BotView }),
  statuses: [200],

  handle: async ({ input, account, token, workspaceId, role, nowMs, commit }) => {
    const code = mappedCode(input);
    const before = await requireBotToChange(workspaceId, input.id);
    if (before.bot.deletedAtMs !== undefined) throw notFound(`The bot ${input.id}`);
    const declared = await changedDefinition(before.definition, input, sealSecrets(input.id, input.secrets), nowMs);
    const changed = changedBot(before.bot, input, declared, { account, nowMs });
    const { bot, definition, writes, logMessages, calls } = await changedInstallations(
      changed,
      declared,
      input.integrations ?? {},
      nowMs,
    );
    requireUnlimited(token, grantOfBot(before, { bot, definition }));
    const saved = code === undefined ? [] : await withCode({ bot, definition }, code, account.id, nowMs);
    const messages = [
      ...logMessages,
      ...(typeof input.url === 'string' ? [`Events are now delivered to ${input.url}.`] : []),
    ];
    const warnings = input.code === undefined ? [] : removalWarnings(before.bot.installations, bot.installations);
    const lines = [
      ...messages.map(message => ({ level: 'info', message }) as const),
      ...warnings.map(message => ({ level: 'warn', message }) as const),
    ];
    await commit(ok({}), [
      changeBot(before.bot, bot),
      await putBotDefinition(bot.id, definition),
      ...(await recurringTimers(bot.id, before.definition.recurringEvents, input.recurringEvents, nowMs)),
      ...writes,
      ...saved,
      ...registrationTimer(before.bot, bot),
      ...lines.map(line => putLogLine(bot.id, { timestampMs: nowMs, ...line })),
      ...recordDeployedCode(workspaceId, account, { kind: 'bot', id: bot.id }, { before: before.bot, after: bot }),
      putAudit(workspaceId, auditActor(account), auditEntry(input, bot), nowMs),
    ]);
    // Written before the calls, because an integration may read the bot during its call.
    const registered = await registerInstallations(bot, calls);
    const deployed = await awaitRollout({ before: before.bot, after: registered }, () => findBot(bot.id), nowMs);
    return ok({ bot: await viewBot(deployed, definition, role) });
  },
});

/** The action is the most consequential change. The value lists all changed fields. */
function auditEntry(input: BotChanges & { id: string }, { id, name }: { id: string; name: string }): AuditEntry {
  const { id: _, ...fields } = input;
  const action =
    input.code !== undefined || input.url !== undefined
      ? 'DEPLOY_BOT'
      : input.configuration !== undefined
        ? 'UPDATE_BOT_CONFIG'
        : input.integrations !== undefined
          ? 'UPDATE_BOT_CHANNEL'
          : 'UPDATE_BOT';
  return { action, resourceId: id, resourceName: name, value: Object.keys(fields).join(', ') };
}
