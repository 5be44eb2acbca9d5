import { keysOf, type RecordKind } from '#shared/storage/dynamodb/engine/streamChange.ts';

/** A Lambda event filter. A change that matches none of a consumer's filters does not invoke it. */
export type StreamFilter = Record<string, unknown>;

export const changed = (...kinds: RecordKind[]): StreamFilter => ({ dynamodb: keysOf(...kinds) });

export const created = (...kinds: RecordKind[]): StreamFilter => ({
  eventName: ['INSERT'],
  dynamodb: keysOf(...kinds),
});

/** Matches a change or removal of an item that had the attribute. @param type as DynamoDB names it */
export const had = (attribute: string, type: 'S' | 'N'): StreamFilter => ({
  eventName: ['MODIFY', 'REMOVE'],
  dynamodb: { OldImage: { [attribute]: { [type]: [{ exists: true }] } } },
});

export const has = (attribute: string, type: 'S' | 'N'): StreamFilter => ({
  eventName: ['INSERT', 'MODIFY'],
  dynamodb: { NewImage: { [attribute]: { [type]: [{ exists: true }] } } },
});

/** Evaluates a filter locally. It supports exact values, `prefix` and `exists`, the only rules in use. */
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

/** Returns the fewest equivalent filters, because Lambda allows five per event source. */
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
