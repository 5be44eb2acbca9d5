import { randomText } from '#shared/core/ids.ts';
import { LINK_TAG } from '#shared/domain/fileRecords/fileRecordInputs.ts';
import { SECRET_LENGTH } from '#shared/domain/fileRecords/publicUrl.ts';
import { type FileCall, ownerOf, scopeOf } from '#shared/domain/fileRecords/scope.ts';
import { indexingRequested } from '#shared/domain/fileRecords/status.ts';
import type { File, FileDraft } from '#shared/storage/dynamodb/files/file.ts';

export function draftCopy(
  destination: FileCall,
  source: File,
  {
    id,
    key,
    object,
    before,
    isSameScope,
  }: { id: string; key: string; object: string; before: File | undefined; isSameScope: boolean },
  nowMs: number,
): FileDraft {
  const { size, contentType } = source.content!;
  const content = { object, size, contentType };
  const { [LINK_TAG]: _, ...tagsWithoutLink } = source.tags;
  const copy: FileDraft = {
    id,
    key,
    scope: scopeOf(destination),
    owner: ownerOf(destination),
    tags: isSameScope ? source.tags : tagsWithoutLink,
    metadata: source.metadata,
    policies: source.policies,
    index: source.index,
    configuration: source.configuration,
    contentType: content.contentType,
    status: 'upload_completed',
    content,
    // Search uses the replaced content until the copy is indexed.
    indexed: before?.indexed,
    secret: before?.secret ?? randomText(SECRET_LENGTH),
    expiresAtMs: source.expiresAtMs,
    createdAtMs: before?.createdAtMs ?? nowMs,
  };
  return source.index ? indexingRequested(copy, nowMs) : { ...copy, indexed: undefined };
}
