export interface Difference {
  expected: number;
  lost: number;
  doubled: number;
  disordered: number;
}

const NO_DIFFERENCE: Difference = { expected: 0, lost: 0, doubled: 0, disordered: 0 };

/** Compares received with expected ids, both in order. Ignores unexpected ids. */
export function compare(expected: readonly string[], came: readonly string[]): Difference {
  const places = new Map(expected.map((id, place) => [id, place]));
  const seen = new Set<string>();
  let [doubled, disordered, last] = [0, 0, -1];
  for (const id of came) {
    const place = places.get(id);
    if (place === undefined) continue;
    if (seen.has(id)) doubled++;
    else if (place < last) disordered++;
    seen.add(id);
    last = Math.max(last, place);
  }
  return { expected: expected.length, lost: places.size - seen.size, doubled, disordered };
}

export const sum = (differences: readonly Difference[]): Difference =>
  differences.reduce(
    (all, each) => ({
      expected: all.expected + each.expected,
      lost: all.lost + each.lost,
      doubled: all.doubled + each.doubled,
      disordered: all.disordered + each.disordered,
    }),
    NO_DIFFERENCE,
  );

export const isClean = ({ lost, doubled, disordered }: Difference): boolean => lost + doubled + disordered === 0;
