/** The user of the bot itself. It is derived from the bot, and callers can tag it (docs/api/botChat.md#bot-user). */
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

/**
 * Sets and removes tags of the bot's own user. Ignores the name and picture that integrations send with their tags,
 * because a bot has an account per integration.
 * @throws ApiError InvalidPayload for anything but tags, ResourceLockedConflict if `If-Match` names another version
 */
export async function tagBotUser(
  call: ScopedCall & Pick<BotCall<unknown>, 'ifMatch'>,
  { tags: requested = {}, name, pictureUrl, properties, attributes }: UserChanges,
): Promise<BotUser> {
  const { botId, nowMs, ifMatch, principal } = call;
  const others = { properties, attributes, ...(principal.kind === 'integration' ? {} : { name, pictureUrl }) };
  const refused = Object.entries(others).find(([, value]) => value !== undefined)?.[0];
  if (refused) {
    throw invalidPayload("Only tags of the bot's own user can be changed. Use updateBot to change its name.", refused);
  }
  const before = await findBotUser(botId);
  const ifVersion = requireVersion(ifMatch, before.version);
  const tags = changesOf(storedNames(call, requested), before.tags, { name: 'tags' });
  if (Object.keys(tags.changes).length === 0) return before;
  return changeBotUser(botId, before, tags, { ifVersion, nowMs });
}
