/** Runs one call for each item, a few at a time. */

const CONCURRENT_CALLS = 5;

export interface Outcomes<Item, Result> {
  done: { item: Item; result: Result }[];
  failed: { item: Item; error: unknown }[];
}

/** Never rejects: a failure of one item does not stop the others. */
export async function runAll<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Outcomes<Item, Result>> {
  const outcomes: Outcomes<Item, Result> = { done: [], failed: [] };
  const left = [...items];
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      try {
        outcomes.done.push({ item, result: await run(item) });
      } catch (error) {
        outcomes.failed.push({ item, error });
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_CALLS }, work));
  return outcomes;
}
