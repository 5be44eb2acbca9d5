/**
 * Pointers from tags to messages and workflows that get-or-create created. Ids of other records derive from the tags.
 */

import { hashText } from '#shared/core/ids.ts';
import { type Item, readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { messageClaimKey, workflowClaimKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { GENERATION } from '#shared/storage/dynamodb/keys/generation.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';

export interface Claim {
  key: Key;
  /** Position of the message, or id of the workflow. Undefined for unclaimed tags. */
  claimedBy: string | undefined;
}

export const claimFrom = (key: Key, item: Item | undefined): Claim => ({ key, claimedBy: item?.claimedBy });

export const messageClaimOf = (botId: string, conversationId: string, canonicalTags: string): Key =>
  messageClaimKey(botId, conversationId, hashText('message by', canonicalTags));

export async function findWorkflowClaim(botId: string, discriminators: readonly string[]): Promise<Claim> {
  const key = workflowClaimKey(botId, hashText('workflow by', ...discriminators));
  return claimFrom(key, await readItem(key));
}

/** Claims the tags, for one of several concurrent callers. Replaces a claim whose record no longer has the tags. */
const putClaim = (
  { key, claimedBy: before }: Claim,
  claimedBy: string,
  attributes: Record<string, unknown>,
): Write => ({
  put: {
    Item: { ...key, ...attributes, claimedBy },
    ...(before === undefined
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'claimedBy = :before', ExpressionAttributeValues: { ':before': before } }),
  },
  onRefused: () => new WriteConflict(),
});

export const claimForMessage = (
  claim: Claim,
  { position, generation }: { position: string; generation: number },
): Write => putClaim(claim, position, { position, [GENERATION]: generation || undefined });

export const claimForWorkflow = (claim: Claim, id: string): Write => putClaim(claim, id, { id });
