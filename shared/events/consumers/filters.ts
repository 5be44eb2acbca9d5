import { keysOf, type RecordKind } from '#shared/storage/dynamodb/engine/streamChange.ts';

/** A Lambda event filter. A change that matches none of a consumer's filters does not invoke it. */
export type StreamFilter = Record<string, unknown>;

export const changed = (...kinds: RecordKind[]): StreamFilter => ({ dynamodb: keysOf(...kinds) });

export const created = (...kinds: RecordKind[]): StreamFilter => ({
  eventName: ['INSERT'],
  dynamodb: keysOf(...kinds),
});

export const written = (...kinds: RecordKind[]): StreamFilter => ({
  eventName: ['INSERT', 'MODIFY'],
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

/** Lambda's limit per event source. */
const MAX_FILTERS = 5;

/**
 * Returns the fewest equivalent filters. If there are too many for Lambda, those of new items are joined with those of
 * new and changed items, which invokes the consumer for more changes. Reactions match their own filters.
 */
export function mergeFilters(filters: readonly StreamFilter[]): StreamFilter[] {
  const merged = mergeBy(filters as readonly KeyFilter[], ({ eventName }) => JSON.stringify(eventName));
  return merged.length <= MAX_FILTERS ? merged : mergeBy(merged, each => String(isOfWrites(each) || each.eventName));
}

const isOfWrites = ({ eventName, dynamodb }: KeyFilter) =>
  eventName?.includes('INSERT') === true && Object.keys(dynamodb).join() === 'Keys';

/** Joins the keys of filters that are otherwise equal. @param eventsOf what must be equal of their events */
function mergeBy(filters: readonly KeyFilter[], eventsOf: (filter: KeyFilter) => string | undefined): KeyFilter[] {
  const merged = new Map<string, KeyFilter>();
  for (const filter of filters) {
    const { Keys, ...images } = filter.dynamodb;
    const name = JSON.stringify([eventsOf(filter), images, Keys === undefined]);
    const known = merged.get(name);
    const given = [known, filter].flatMap(each => each?.dynamodb.Keys?.sk.S ?? []);
    const rules = new Map(given.map(rule => [JSON.stringify(rule), rule]));
    const eventName = [...new Set([known, filter].flatMap(each => each?.eventName ?? []))];
    merged.set(name, {
      ...(eventName.length > 0 ? { eventName } : {}),
      dynamodb: { ...(Keys ? { Keys: { sk: { S: [...rules.values()] } } } : {}), ...images },
    });
  }
  return [...merged.values()];
}
