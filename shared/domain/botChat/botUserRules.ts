/** The user of the bot itself. It is derived from the bot, and callers can update it (docs/api/botChat.md#bot-user). */
import type { BotCall } from '#shared/api/operations/platform.ts';
import { requireVersion } from '#shared/api/platform/requireVersion.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { changesOf } from '#shared/core/mapChanges.ts';
import { type CallerScope, type ScopedCall, storedNames } from '#shared/domain/messaging/callerScope.ts';
import { type BotUser, changeBotUser, findBotUser } from '#shared/storage/dynamodb/chat/botUser.ts';
import type { UserChanges } from './botChatUsers.ts';

/** @throws ApiError InvalidPayload for the bot's own user */
export function rejectBotUser({ botId }: CallerScope, userId: string): void {
  if (userId === botId) throw invalidPayload("The bot's own user cannot be deleted. Delete the bot instead.", 'id');
}

/** Updates the bot's own user. @throws ApiError as `updateUser` */
export async function updateBotUser(
  call: ScopedCall & Pick<BotCall<unknown>, 'ifMatch'>,
  { tags: requested = {}, name, pictureUrl, properties = {}, attributes = {} }: UserChanges,
): Promise<BotUser> {
  const { botId, nowMs, ifMatch } = call;
  const before = await findBotUser(botId);
  const ifVersion = requireVersion(ifMatch, before.version);
  const maps = {
    tags: changesOf(storedNames(call, requested), before.tags, { name: 'tags' }),
    properties: changesOf(properties, before.properties ?? {}, { name: 'properties' }),
    attributes: changesOf(attributes, before.attributes ?? {}, { name: 'attributes' }),
  };
  const hasChange =
    name !== undefined ||
    pictureUrl !== undefined ||
    Object.values(maps).some(({ changes }) => Object.keys(changes).length > 0);
  if (!hasChange) return before;
  return changeBotUser(botId, before, { fields: { name, pictureUrl }, maps }, { ifVersion, nowMs });
}
