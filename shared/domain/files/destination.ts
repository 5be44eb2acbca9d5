import type { BotCall } from '#shared/api/operations/platform.ts';
import { ruleOf } from '#shared/api/permissions.ts';
import { ApiError } from '#shared/core/errors.ts';
import { isUuid } from '#shared/core/ids.ts';
import type { FileCall } from '#shared/domain/fileRecords/scope.ts';
import { type Bot, findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { isActive } from '#shared/storage/dynamodb/bots/installation.ts';
import { rereadAccount } from '#shared/storage/dynamodb/workspace/accounts.ts';

/** Returns the destination of a copy. @throws ApiError Forbidden for missing and inaccessible bots alike */
export async function destinationOf(
  call: FileCall & Pick<BotCall<unknown>, 'workspaceId'>,
  botId: string | undefined,
): Promise<FileCall> {
  if (botId === undefined || botId === call.botId) return call;
  const bot = isUuid(botId) ? await findBot(botId) : undefined;
  const scope = bot && bot.deletedAtMs === undefined ? await callOn(call, bot) : undefined;
  if (!scope) throw new ApiError('Forbidden', 'You do not have access to the bot in the header x-destination-bot-id.');
  return scope;
}

async function callOn({ principal, installation }: FileCall, bot: Bot): Promise<FileCall | undefined> {
  const scope = { botId: bot.id, bot, principal, installation: undefined };
  if (principal.kind === 'bot') return undefined;
  if (principal.kind === 'account') {
    const membership = (await rereadAccount(principal.account)).memberships[bot.workspaceId];
    return membership && !membership.isEnding && ruleOf('files', 'copyFile')[membership.role] ? scope : undefined;
  }
  const there = bot.installations.filter(each => isActive(each) && each.integrationId === principal.integrationId);
  const found = there.find(({ alias }) => alias === installation?.alias) ?? there[0];
  return found && { ...scope, installation: found };
}
