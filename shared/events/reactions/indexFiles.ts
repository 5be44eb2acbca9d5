/** Reacts to changes and removals of files. Idempotent. */

import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import {
  endedUpload,
  type File,
  indexingsOf,
  objectsOf,
  parseFile,
  scopesOf,
} from '#shared/storage/dynamodb/files/file.ts';
import { taggedFile, tagsIn } from '#shared/storage/dynamodb/files/fileLists.ts';
import { findFile } from '#shared/storage/dynamodb/files/files.ts';
import { listIndexings } from '#shared/storage/dynamodb/files/passages.ts';
import { dropTags } from '#shared/storage/dynamodb/tags/tags.ts';
import { enqueueIndexing } from '#shared/storage/queues/indexingJobs.ts';
import { enqueueSweep } from '#shared/storage/queues/sweepJobs.ts';
import { acceptedPrefix } from '#shared/storage/s3/prefixes.ts';

export async function indexFiles({ botId, id: fileId, ...images }: StreamChange): Promise<void> {
  const parse = (item: Record<string, unknown>) => (Object.keys(item).length > 0 ? parseFile(item) : undefined);
  const [before, after] = [parse(images.before), parse(images.after)];
  await Promise.all([
    dropObjects(botId, fileId, before, after),
    dropOldTags(botId, fileId, before, after),
    startIndexing(botId, before, after),
    dropIndexings(botId, fileId, before, after),
  ]);
}

async function dropObjects(botId: string, fileId: string, before: File | undefined, after: File | undefined) {
  const needed = new Set(objectsOf(after));
  const { deleteObject, deleteObjects } = await import('#shared/storage/s3/objects.ts');
  const upload = endedUpload(before, after);
  const isAccepted = upload !== undefined && after?.content?.object.startsWith(acceptedPrefix(upload));
  await Promise.all([
    ...objectsOf(before)
      .filter(object => !needed.has(object))
      .map(deleteObject),
    isAccepted && deleteObjects(acceptedPrefix(upload), needed),
    // Calls in progress may still copy it.
    upload && !isAccepted && enqueueSweep({ kind: 'uploadCopies', botId, fileId, upload, isSecondPass: false }),
  ]);
}

/** Removes entries of removed tags and former scopes. */
async function dropOldTags(botId: string, fileId: string, before: File | undefined, after: File | undefined) {
  for (const scope of before ? scopesOf(before) : []) {
    const tagsNow = async () => tagsIn(scope, await findFile(botId, fileId));
    await dropTags(botId, taggedFile(scope, before!), tagsIn(scope, before), tagsIn(scope, after), tagsNow);
  }
}

async function startIndexing(botId: string, before: File | undefined, after: File | undefined): Promise<void> {
  const indexingId = after?.indexing?.id;
  if (indexingId === undefined || indexingId === before?.indexing?.id) return;
  await enqueueIndexing({ botId, fileId: after!.id, indexingId });
}

async function dropIndexings(botId: string, fileId: string, before: File | undefined, after: File | undefined) {
  const needed = new Set(indexingsOf(after));
  // A removed file may have unreferenced indexings.
  const others = after ? [] : await listIndexings(botId, fileId);
  for (const indexingId of new Set([...indexingsOf(before), ...others])) {
    if (needed.has(indexingId)) continue;
    const space = before?.indexed?.id === indexingId ? before.indexed.space : undefined;
    await enqueueSweep({ kind: 'indexing', botId, fileId, indexingId, space, isSecondPass: false });
  }
}
