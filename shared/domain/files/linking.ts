/**
 * Links files to knowledge bases by a tag. Linking enables indexing, for which clients wait (docs/api/files.md#files).
 */

import { ApiError, invalidPayload } from '#shared/core/errors.ts';
import { isKnowledgeBaseId } from '#shared/core/ids.ts';
import { LINK_TAG } from '#shared/domain/fileRecords/fileRecordInputs.ts';
import { findKnowledgeBase } from '#shared/storage/dynamodb/files/knowledgeBases.ts';
import type { Tags } from '#shared/storage/dynamodb/tags/tags.ts';

/**
 * Returns true to index a file. Undefined leaves the setting unchanged.
 * @throws ApiError InvalidPayload for a linked file without indexing; ReferenceNotFound for an unknown knowledge base
 */
export async function shouldIndex(
  { botId, scope }: { botId: string; scope: string },
  { tags, before, requested }: { tags: Tags; before: Tags | undefined; requested: boolean | undefined },
): Promise<boolean | undefined> {
  const link = tags[LINK_TAG];
  if (link === undefined) return requested;
  if (requested === false) {
    throw invalidPayload(
      `A file that is linked to a knowledge base by the tag ${LINK_TAG} must be indexed. Omit index or send true.`,
      'index',
    );
  }
  // Ids in other formats belong to external knowledge bases.
  if (link !== before?.[LINK_TAG] && isKnowledgeBaseId(link) && !(await findKnowledgeBase(botId, scope, link))) {
    throw new ApiError('ReferenceNotFound', `The knowledge base ${link} in the tag ${LINK_TAG} was not found.`);
  }
  return true;
}
