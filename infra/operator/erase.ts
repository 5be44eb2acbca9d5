/** `npm run erase`: erases a user, a bot or a workspace, as the API does. See docs/export.md#erase. */

import { runCommand, targetOptions, UsageError, useTarget } from '#infra/operator/target/target.ts';
import { parseCommand } from '#infra/settings/commandLine.ts';
import { clock } from '#shared/core/clock.ts';
import { isUserId } from '#shared/core/ids.ts';
import { endBot } from '#shared/domain/admin/bots/endBot.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { requestErasure } from '#shared/storage/dynamodb/chat/erasures.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { putAudit, SYSTEM_ACTOR } from '#shared/storage/dynamodb/workspace/audit.ts';
import { endWorkspace, findWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';

const USAGE = `npm run erase -- --bot <id> --user user_…   a user and everything they wrote
npm run erase -- --bot <id>                 a bot with all its data
npm run erase -- --workspace wkspace_…      a workspace with all its bots
with [--stack Parley | --local]`;

async function requireBot(botId: string) {
  const bot = await findBot(botId);
  if (!bot || bot.deletedAtMs !== undefined) throw new UsageError(`Bot ${botId} was not found. Check --bot.`);
  return bot;
}

async function eraseUser(botId: string, userId: string): Promise<void> {
  if (!isUserId(userId)) throw new UsageError(`${userId} is not a user id. User ids start with user_.`);
  await requireBot(botId);
  await requestErasure(botId, userId, clock.now());
}

const eraseBot = (botId: string): Promise<void> =>
  retryConflicts(async () => {
    const { name, workspaceId, ...bot } = await requireBot(botId);
    const nowMs = clock.now();
    const entry = { action: 'DELETE_BOT', resourceId: botId, resourceName: name } as const;
    await write([
      ...(await endBot({ ...bot, name, workspaceId }, nowMs)),
      putAudit(workspaceId, SYSTEM_ACTOR, entry, nowMs),
    ]);
  });

async function eraseWorkspace(workspaceId: string): Promise<void> {
  const workspace = await findWorkspace(workspaceId);
  if (!workspace) throw new UsageError(`Workspace ${workspaceId} was not found. Check --workspace.`);
  const nowMs = clock.now();
  const entry = { action: 'CLOSE_WORKSPACE', resourceId: workspaceId } as const;
  if (workspace.deletedAtMs === undefined) {
    await write([endWorkspace(workspaceId, nowMs), putAudit(workspaceId, SYSTEM_ACTOR, entry, nowMs)]);
  }
}

await runCommand(async () => {
  const { values } = parseCommand(USAGE, {
    options: {
      ...targetOptions,
      user: { type: 'string' },
      bot: { type: 'string' },
      workspace: { type: 'string' },
    },
  });
  const { user, bot, workspace } = values;
  const isComplete = workspace ? !user && !bot : Boolean(bot);
  if (!isComplete) throw new UsageError(USAGE);
  await useTarget(values);
  if (workspace) await eraseWorkspace(workspace);
  else if (user) await eraseUser(bot!, user);
  else await eraseBot(bot!);
  process.stdout.write(
    `${workspace ?? user ?? bot} is being erased. This takes about two minutes, or longer for large amounts of data.\n`,
  );
});
