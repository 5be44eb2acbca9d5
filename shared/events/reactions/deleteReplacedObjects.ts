import { findEntry } from '#shared/storage/dynamodb/chat/timeline.ts';
import { VALUE } from '#shared/storage/dynamodb/engine/largeValue.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { deleteObject } from '#shared/storage/s3/objects.ts';

const POINTERS = [VALUE.object, 'codeKey', 'browserCodeKey', 'iconKey', 'readmeKey'];

export async function deleteReplacedObjects({
  event,
  kind,
  botId,
  id,
  position,
  before,
  after,
}: StreamChange): Promise<void> {
  if (event === 'REMOVE' && kind === 'postponedMessage') {
    // The postponed message was posted. Its timeline entry points to the same object.
    const entry = await findEntry(botId, id, position);
    if (entry?.payload?.[VALUE.object] === before[VALUE.object]) return;
  }
  for (const name of POINTERS) {
    const key = before[name];
    if (typeof key === 'string' && key !== after[name]) await deleteObject(key);
  }
}
