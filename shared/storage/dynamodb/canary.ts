import * as z from 'zod/mini';
import { canaryKey } from './keys/canary.ts';
import { readItem } from './query.ts';
import { unconditional, write } from './transaction.ts';

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
