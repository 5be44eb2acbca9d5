/**
 * Knowledge bases: a file is linked to one by its tag. A linked file must be indexed, or opening it from there would load
 * for ever (specification, *Files interface*): linking one that is not has it indexed.
 */

import { findKnowledgeBase } from '#shared/dynamodb/files/knowledgeBases.ts';
import type { Tags } from '#shared/dynamodb/tags.ts';
import { ApiError, invalidPayload } from '#shared/errors.ts';
import { isKnowledgeBaseId } from '#shared/ids.ts';

/** The tag by which the ecosystem links a file. */
export const LINK_TAG = 'kbId';

/**
 * Whether a file is to be indexed.
 * @param wanted what the caller says of it, if anything
 * @throws ApiError InvalidPayload when it is linked and is not to be indexed, ReferenceNotFound when it is linked to none
 */
export async function mustIndex(
  { botId, scope }: { botId: string; scope: string },
  { tags, before, wanted }: { tags: Tags; before: Tags | undefined; wanted: boolean | undefined },
): Promise<boolean | undefined> {
  const link = tags[LINK_TAG];
  if (link === undefined) return wanted;
  if (wanted === false) {
    throw invalidPayload(`A file that is linked to a knowledge base (tag ${LINK_TAG}) must be indexed.`, 'index');
  }
  // Other ids are those of knowledge bases that are kept elsewhere.
  if (link !== before?.[LINK_TAG] && isKnowledgeBaseId(link) && !(await findKnowledgeBase(botId, scope, link))) {
    throw new ApiError('ReferenceNotFound', `The knowledge base ${link} of the tag ${LINK_TAG} was not found.`);
  }
  return true;
}
