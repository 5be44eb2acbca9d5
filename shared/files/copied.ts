/** What a copy takes over of a file, and what it does not. */

import type { File } from '#shared/dynamodb/files/files.ts';
import { SECRET_LENGTH } from '#shared/fileRecords/publicUrl.ts';
import { type FileCall, ownerOf, scopeOf } from '#shared/fileRecords/scope.ts';
import { type Changed, toBeIndexed } from '#shared/fileRecords/status.ts';
import { randomText } from '#shared/ids.ts';
import { LINK_TAG } from './linking.ts';

/**
 * @param before what stands at the destination already, which keeps its own URL and age
 * @param isAtHome the copy is where the original is, and so are its knowledge bases
 */
export function copied(
  destination: FileCall,
  source: File,
  {
    id,
    key,
    object,
    before,
    isAtHome,
  }: { id: string; key: string; object: string; before: File | undefined; isAtHome: boolean },
  nowMs: number,
): Changed {
  const content = { ...source.content!, object };
  const scope = scopeOf(destination);
  const { [LINK_TAG]: link, ...tags } = source.tags;
  const copy: Changed = {
    id,
    key,
    scope,
    owner: ownerOf(destination),
    tags: isAtHome ? source.tags : tags,
    metadata: source.metadata,
    policies: source.policies,
    index: source.index,
    configuration: source.configuration,
    contentType: content.contentType,
    status: 'upload_completed',
    content,
    // Until the copy is indexed, what was there is found.
    indexed: before?.indexed,
    secret: before?.secret ?? randomText(SECRET_LENGTH),
    expiresAtMs: source.expiresAtMs,
    createdAtMs: before?.createdAtMs ?? nowMs,
  };
  return source.index ? toBeIndexed(copy, nowMs) : { ...copy, indexed: undefined };
}
