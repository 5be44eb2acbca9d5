import * as z from 'zod/mini';
import { notFound } from '#shared/core/errors.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { shareableKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import type { Installation } from './installation.ts';

const ShareableId = z.object({
  shareableId: z.string(),
  /** Excludes ids of an earlier installation with the same alias. */
  webhookId: z.string(),
  expiresAtMs: z.number(),
});
export type ShareableId = z.infer<typeof ShareableId>;

export async function findShareableId(botId: string, installation: Installation): Promise<ShareableId | undefined> {
  const item = await readItem(shareableKey(botId, installation.alias));
  const found = item && ShareableId.parse(item);
  return found?.webhookId === installation.webhookId ? found : undefined;
}

export const putShareableId = (botId: string, alias: string, shareableId: ShareableId): Write => ({
  put: { Item: { ...shareableKey(botId, alias), ...shareableId } },
  onRefused: unconditional,
});

export const removeShareableId = (botId: string, alias: string, { shareableId }: ShareableId): Write => ({
  remove: {
    Key: shareableKey(botId, alias),
    ConditionExpression: 'shareableId = :shareableId',
    ExpressionAttributeValues: { ':shareableId': shareableId },
  },
  onRefused: () => notFound('The shareable id'),
});
