/** Which changes of the table a reaction is about, in the language of Lambda's event filters. */
import { keysOf, type RecordKind } from '#shared/storage/dynamodb/streamChange.ts';

/** One pattern; a change that matches none of a consumer's invokes nothing. */
export type StreamFilter = Record<string, unknown>;

/** Any change of a record of these kinds. */
export const changed = (...kinds: RecordKind[]): StreamFilter => ({ dynamodb: keysOf(...kinds) });

/** A new record of these kinds. */
export const created = (...kinds: RecordKind[]): StreamFilter => ({
  eventName: ['INSERT'],
  dynamodb: keysOf(...kinds),
});

/** A change or removal of an item that had this attribute. @param type as DynamoDB names it */
export const had = (attribute: string, type: 'S' | 'N'): StreamFilter => ({
  eventName: ['MODIFY', 'REMOVE'],
  dynamodb: { OldImage: { [attribute]: { [type]: [{ exists: true }] } } },
});

/** A new or changed item that has this attribute. */
export const has = (attribute: string, type: 'S' | 'N'): StreamFilter => ({
  eventName: ['INSERT', 'MODIFY'],
  dynamodb: { NewImage: { [attribute]: { [type]: [{ exists: true }] } } },
});

/**
 * Whether a stream record matches a pattern of exact values, `prefix` and `exists`, which is all that the consumers
 * use.
 */
export function matches(filter: StreamFilter, record: unknown): boolean {
  return Object.entries(filter).every(([key, expected]) => {
    const actual = (record as Record<string, unknown> | undefined)?.[key];
    if (!Array.isArray(expected)) return matches(expected as StreamFilter, actual);
    return expected.some(rule => {
      if (typeof rule !== 'object') return rule === actual;
      if ('prefix' in rule) return typeof actual === 'string' && actual.startsWith(rule.prefix);
      return rule.exists === (actual !== undefined);
    });
  });
}

type KeyFilter = { eventName?: string[]; dynamodb: { Keys?: { sk: { S: unknown[] } } } & Record<string, unknown> };

/** The fewest patterns that let everything through that these do: Lambda takes five for each event source. */
export function mergeFilters(filters: readonly StreamFilter[]): StreamFilter[] {
  const merged = new Map<string, KeyFilter>();
  for (const filter of filters as readonly KeyFilter[]) {
    const { Keys, ...images } = filter.dynamodb;
    const name = JSON.stringify([filter.eventName, images, Keys === undefined]);
    const known = merged.get(name)?.dynamodb.Keys;
    const rules = new Map([...(known?.sk.S ?? []), ...(Keys?.sk.S ?? [])].map(rule => [JSON.stringify(rule), rule]));
    merged.set(name, {
      ...filter,
      dynamodb: { ...(Keys ? { Keys: { sk: { S: [...rules.values()] } } } : {}), ...images },
    });
  }
  return [...merged.values()];
}
