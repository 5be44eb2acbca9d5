/**
 * The user as whom the bot speaks: it follows from the bot, and callers may tag it (docs/api/botChat.md#bot-user).
 */
import type { BotCall } from '#shared/api/operations/platform.ts';
import { requireVersion } from '#shared/api/platform/requireVersion.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { changesOf } from '#shared/core/mapChanges.ts';
import { type CallerScope, type ScopedCall, storedNames } from '#shared/domain/messaging/callerScope.ts';
import { type BotUser, changeBotUser, findBotUser } from '#shared/storage/dynamodb/chat/botUser.ts';
import type { UserChanges } from './users.ts';

/** @throws ApiError InvalidPayload for the bot's own user */
export function refuseBotUser({ botId }: CallerScope, userId: string): void {
  if (userId === botId) throw invalidPayload("The bot's own user cannot be deleted. Delete the bot instead.", 'id');
}

/**
 * Sets and removes tags of the bot's own user. Integrations send the account's name and picture along with its tags:
 * those are left as they are, for one bot has as many accounts as integrations.
 * @throws ApiError InvalidPayload for anything but tags, ResourceLockedConflict when `If-Match` names another version
 */
export async function tagBotUser(
  call: ScopedCall & Pick<BotCall<unknown>, 'ifMatch'>,
  { tags: requested = {}, name, pictureUrl, properties, attributes }: UserChanges,
): Promise<BotUser> {
  const { botId, nowMs, ifMatch, principal } = call;
  const others = { properties, attributes, ...(principal.kind === 'integration' ? {} : { name, pictureUrl }) };
  const refused = Object.entries(others).find(([, value]) => value !== undefined)?.[0];
  if (refused) {
    throw invalidPayload(
      "Of the bot's own user, only tags can be changed. Its name is the bot's: see updateBot.",
      refused,
    );
  }
  const before = await findBotUser(botId);
  const ifVersion = requireVersion(ifMatch, before.version);
  const tags = changesOf(storedNames(call, requested), before.tags, { name: 'tags' });
  if (Object.keys(tags.changes).length === 0) return before;
  return changeBotUser(botId, before, tags, { ifVersion, nowMs });
}
