import * as z from 'zod/mini';
import { auditActor } from '#shared/admin/accounts.ts';
import { storeText } from '#shared/admin/assets.ts';
import {
  BotChanges,
  BotView,
  changedBot,
  changedDefinition,
  requireBotWithDefinition,
  viewBot,
} from '#shared/admin/bots.ts';
import { changedInstallations } from '#shared/admin/installations.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';
import { type AuditEntry, putAudit } from '#shared/dynamodb/workspace/audit.ts';
import { changeBot } from '#shared/dynamodb/workspace/bots.ts';
import { putLogLine } from '#shared/dynamodb/workspace/logs.ts';
import { notFound } from '#shared/errors.ts';

export const updateBot = adminOperation({
  name: 'updateBot',
  summary:
    'Changes a bot. Maps change key by key, and null takes a key away; an integration is installed, changed or uninstalled under its alias.',
  method: 'PUT',
  path: '/admin/bots/{id}',
  scope: 'account',
  table: 'writes',
  largeValues: 'writes',
  objects: 'writesAssets',
  body: BotChanges,
  output: z.object({ bot: BotView }),
  statuses: [200],

  handle: async ({ input, account, workspaceId, nowMs, commit }) => {
    const before = await requireBotWithDefinition(workspaceId, input.id);
    if (before.bot.deletedAtMs !== undefined) throw notFound(`The bot ${input.id}`);
    const declared = changedDefinition(before.definition, input, nowMs);
    const changed = changedBot(before.bot, input, declared, nowMs);
    if (input.code !== undefined) changed.codeKey = await storeText(input.id, input.code);
    const { bot, definition, writes, said } = await changedInstallations(
      changed,
      declared,
      input.integrations ?? {},
      nowMs,
    );
    const lines = [...said, ...(typeof input.url === 'string' ? [`Its events go to ${input.url} now.`] : [])];
    return commit(ok({ bot: await viewBot(bot, definition) }), [
      ...(await changeBot(before.bot, bot, definition)),
      ...writes,
      ...lines.map(message => putLogLine(bot.id, { timestampMs: nowMs, level: 'info', message })),
      putAudit(workspaceId, auditActor(account), changeOf(input, bot), nowMs),
    ]);
  },
});

/** What an auditor is told: the gravest of what changed, and the names of all that did. */
function changeOf(input: BotChanges & { id: string }, { id, name }: { id: string; name: string }): AuditEntry {
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
