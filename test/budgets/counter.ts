import { AsyncLocalStorage } from 'node:async_hooks';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';

export interface Count {
  calls: number;
  writes: number;
  readUnits: number;
  writeUnits: number;
  /** The maximum number of concurrent calls. */
  peak: number;
  /** Keys of items that were written, or that a transaction depended on. */
  touched: string[];
}

type Capacity = { ReadCapacityUnits?: number; WriteCapacityUnits?: number; CapacityUnits?: number };

/** Separates the counted code from everything else in this process. */
const context = new AsyncLocalStorage<{ count: Count; underWay: number }>();
const WRITES = /^(Put|Update|Delete|TransactWrite|BatchWrite)/;

documents.middlewareStack.add(
  (next, { commandName = '' }) =>
    async args => {
      const counting = context.getStore();
      if (!counting) return next(args);
      const { count } = counting;
      count.calls++;
      if (WRITES.test(commandName)) {
        count.writes++;
        count.touched.push(...keysIn(args.input));
      }
      count.peak = Math.max(count.peak, ++counting.underWay);
      try {
        const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
        const consumed = (result.output as { ConsumedCapacity?: Capacity | Capacity[] }).ConsumedCapacity;
        for (const { CapacityUnits = 0 } of [consumed ?? []].flat()) {
          if (WRITES.test(commandName)) count.writeUnits += CapacityUnits;
          else count.readUnits += CapacityUnits;
        }
        return result;
      } finally {
        counting.underWay--;
      }
    },
  { step: 'initialize', name: 'counter', override: true },
);

type Part = { Item?: Item; Key?: Item };
type Item = { pk?: string; sk?: string };

function keysIn(input: object): string[] {
  const { TransactItems = [], RequestItems = {} } = input as {
    TransactItems?: Record<string, Part>[];
    RequestItems?: Record<string, Record<string, Part>[]>;
  };
  const parts = [...TransactItems, ...Object.values(RequestItems).flat()].flatMap(each => Object.values(each));
  return [input as Part, ...parts].flatMap(({ Item, Key }) => {
    const { pk, sk } = Item ?? Key ?? {};
    return pk === undefined ? [] : [`${pk} ${sk}`];
  });
}

export async function counted(run: () => Promise<unknown>): Promise<Count> {
  const count: Count = { calls: 0, writes: 0, readUnits: 0, writeUnits: 0, peak: 0, touched: [] };
  await context.run({ count, underWay: 0 }, run);
  return count;
}
