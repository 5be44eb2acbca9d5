/** Reads the table and the object store in a form that invariants can check. */
import { allObjects } from '#test/support/stagedObjects.ts';
import { scanItems } from '#test/support/tableItems.ts';

// biome-ignore lint/suspicious/noExplicitAny: an item of any kind
export type Item = Record<string, any> & { pk: string; sk: string };

export interface Dump {
  items: Item[];
  objects: string[];
  at(pk: string, sk: string): Item | undefined;
  /** Returns the items whose partition's name and sort key match. */
  select(partition: RegExp, sk: RegExp): Item[];
}

export async function takeDump(): Promise<Dump> {
  const items = (await scanItems()) as Item[];
  const byKey = new Map(items.map(item => [`${item.pk} ${item.sk}`, item]));
  return {
    items,
    objects: await allObjects(),
    at: (pk, sk) => byKey.get(`${pk} ${sk}`),
    select: (partition, sk) => items.filter(item => sk.test(item.sk) && partition.test(item.pk)),
  };
}

export const tenantOf = ({ pk }: Pick<Item, 'pk'>) => pk.split('#')[0]!;
export const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
/** Names an item in a message. */
export const keyText = ({ pk, sk }: Item) => `${pk} | ${sk}`;
