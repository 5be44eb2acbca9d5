import { type MapChange, TAGS_LIMIT } from '#shared/core/mapChanges.ts';
import type { ItemChange } from '#shared/storage/dynamodb/engine/update.ts';

/** Returns conditions that keep maps within {@link TAGS_LIMIT} despite concurrent changes. */
export function tagConditions(maps: Record<string, MapChange>): Pick<ItemChange, 'conditions' | 'names' | 'values'> {
  const conditions: string[] = [];
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  Object.entries(maps).forEach(([map, { newKeys, removedKeys }], i) => {
    if (newKeys.length === 0) return;
    names[`#m${i}`] = map;
    values[`:room${i}`] = TAGS_LIMIT - newKeys.length + removedKeys.length;
    conditions.push(`size(#m${i}) <= :room${i}`);
    // Removing a key frees a slot only if the key still exists.
    removedKeys.forEach((key, j) => {
      names[`#g${i}x${j}`] = key;
      conditions.push(`attribute_exists(#m${i}.#g${i}x${j})`);
    });
  });
  return { conditions, names, values };
}
