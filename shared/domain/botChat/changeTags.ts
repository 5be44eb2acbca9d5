import type { BotCall } from '#shared/api/operations/platform.ts';
import { requireVersion } from '#shared/api/platform/requireVersion.ts';
import { changesOf } from '#shared/core/mapChanges.ts';
import { type ScopedCall, storedNames } from '#shared/domain/messaging/callerScope.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { type Tagged, type Tags, tagWrites } from '#shared/storage/dynamodb/tags/tags.ts';

/**
 * Returns the tag changes of an update, and the version that it requires. Writes the index entries of new tags: an
 * entry without its tag is harmless, a tag without its entry cannot be found.
 * @throws ApiError InvalidPayload, ResourceLockedConflict if `If-Match` names another version
 */
export async function changeTags(
  call: ScopedCall & Pick<BotCall<unknown>, 'ifMatch'>,
  before: { version: number; tags: Tags },
  { tagged, derived }: { tagged: Tagged; derived: Tags },
  changes: Record<string, string | null> = {},
) {
  const ifVersion = requireVersion(call.ifMatch, before.version);
  const tags = changesOf(storedNames(call, changes), before.tags, { name: 'tags', derived });
  await write(await tagWrites(call.botId, tagged, tags.added));
  return { tags, ifVersion };
}
