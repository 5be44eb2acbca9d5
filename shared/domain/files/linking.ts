/**
 * Links files to knowledge bases by a tag. Clients wait for a linked file to be indexed before they open it, so linking
 * a file enables its indexing: see `docs/api/files.md#files`.
 */

import { ApiError, invalidPayload } from '#shared/core/errors.ts';
import { isKnowledgeBaseId } from '#shared/core/ids.ts';
import { LINK_TAG } from '#shared/domain/fileRecords/inputs.ts';
import { findKnowledgeBase } from '#shared/storage/dynamodb/files/knowledgeBases.ts';
import type { Tags } from '#shared/storage/dynamodb/tags.ts';

/**
 * Decides if a file is indexed.
 * @param requested the caller's own choice; undefined for none
 * @returns undefined to leave it as it is
 * @throws ApiError InvalidPayload for a linked file without indexing; ReferenceNotFound for an unknown knowledge base
 */
export async function mustIndex(
  { botId, scope }: { botId: string; scope: string },
  { tags, before, requested }: { tags: Tags; before: Tags | undefined; requested: boolean | undefined },
): Promise<boolean | undefined> {
  const link = tags[LINK_TAG];
  if (link === undefined) return requested;
  if (requested === false) {
    throw invalidPayload(
      `A file that is linked to a knowledge base by the tag ${LINK_TAG} must be indexed. Leave index out or send true.`,
      'index',
    );
  }
  // Ids of another form belong to knowledge bases outside the platform.
  if (link !== before?.[LINK_TAG] && isKnowledgeBaseId(link) && !(await findKnowledgeBase(botId, scope, link))) {
    throw new ApiError('ReferenceNotFound', `The knowledge base ${link} in the tag ${LINK_TAG} was not found.`);
  }
  return true;
}
