/** Values that may be too big for an item, as items hold them: see `bigValue.ts`. */
import * as z from 'zod/mini';
import { loadValue, storeValue } from '#shared/s3/largeValue.ts';
import { definitionKey } from './keys/workspace.ts';
import type { Item } from './query.ts';
import { unconditional, type Write } from './transaction.ts';

/** The attributes of a {@link StoredValue}, for the schema of an item that has one. */
export const storedValue = {
  p: z.optional(z.string()),
  z: z.optional(z.custom<Uint8Array>(value => value instanceof Uint8Array)),
  o: z.optional(z.string()),
  n: z.optional(z.number()),
};
const Stored = z.object(storedValue);

/** The value of an item that holds nothing else. */
export const loadItemValue = (item: Item): Promise<unknown> => loadValue(Stored.parse(item));

/** What a bot or integration declares, beside its own item. @param tenant with whom it goes */
export const putDefinition = async (pk: string, tenant: string, definition: unknown): Promise<Write> => ({
  put: { Item: { ...definitionKey(pk), ...(await storeValue(tenant, definition)) } },
  onRefused: unconditional,
});
