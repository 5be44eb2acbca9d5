import * as z from 'zod/mini';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { canaryKey } from '#shared/storage/dynamodb/keys/canary.ts';

const Canary = z.object({
  webhookId: z.string(),
});
export type Canary = z.infer<typeof Canary>;

export async function findCanary(): Promise<Canary | undefined> {
  const item = await readItem(canaryKey);
  return item && Canary.parse(item);
}

export const putCanary = ({ webhookId }: Canary): Promise<void> =>
  write([{ put: { Item: { ...canaryKey, webhookId } }, onRefused: unconditional }]);
