import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import type { RecordKind, StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { dropTags, type Tagged, type Tags, tagWrites } from '#shared/storage/dynamodb/tags/tags.ts';
import { parseConversation, taggedConversation } from './conversations.ts';
import { parseEntry } from './entry.ts';
import { taggedMessage } from './timeline.ts';
import { derivedTagsOfUser, parseUser, taggedUser, tagsOfUser } from './users.ts';
import { taggedWorkflow } from './workflows.ts';

/** Deletes entries of removed tags, and adds those of derived tags, after a change of a record. Idempotent. */
export async function updateTagEntries({
  botId,
  id,
  pk,
  sk,
  kind,
  position,
  before,
  after,
}: StreamChange): Promise<void> {
  const { createdAtMs } = after.createdAtMs === undefined ? before : after;
  const tagged = taggedRecord(kind, { id, position, createdAtMs: Number(createdAtMs) });
  if (!tagged) return;
  const [had, has] = [tagsOf(kind, before), tagsOf(kind, after)];
  await dropTags(botId, tagged, had.all, has.all, async () => tagsOf(kind, (await readItem({ pk, sk })) ?? {}).all);
  const added = Object.entries(has.derived).filter(([key, value]) => had.derived[key] !== value);
  if (added.length === 0) return;
  await retryConflicts(async () => write(await tagWrites(botId, tagged, Object.fromEntries(added))));
}

const NO_TAGS = { all: {}, derived: {} };

function tagsOf(kind: RecordKind | undefined, item: Record<string, unknown>): { all: Tags; derived: Tags } {
  if (Object.keys(item).length === 0 || item.deletedAtMs !== undefined) return NO_TAGS;
  switch (kind) {
    case 'timelineEntry':
      return { all: parseEntry(item).tags ?? {}, derived: {} };
    case 'workflow':
      return { all: (item.tags ?? {}) as Tags, derived: {} };
    case 'conversation': {
      const conversation = parseConversation(item);
      // Lookups by id and by participant cover the user's derived tags.
      return { all: conversation?.tags ?? {}, derived: {} };
    }
    case 'user': {
      const user = parseUser(item);
      return user ? { all: tagsOfUser(user), derived: derivedTagsOfUser(user) } : NO_TAGS;
    }
    default:
      return NO_TAGS;
  }
}

function taggedRecord(
  kind: RecordKind | undefined,
  record: { id: string; position: string; createdAtMs: number },
): Tagged | undefined {
  switch (kind) {
    case 'timelineEntry':
      return taggedMessage(record.id, record.position);
    case 'conversation':
      return taggedConversation(record);
    case 'user':
      return taggedUser(record);
    case 'workflow':
      return taggedWorkflow(record);
    default:
      return undefined;
  }
}
