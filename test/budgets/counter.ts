/** Counts what this process asks of DynamoDB. */
import { documents } from '../../shared/table/client.ts';

export interface Count {
  calls: number;
  readUnits: number;
  writeUnits: number;
  /** How many calls were under way at once, at most. */
  peak: number;
}

type Capacity = { ReadCapacityUnits?: number; WriteCapacityUnits?: number; CapacityUnits?: number };

let current: Count | undefined;
let underWay = 0;
const WRITES = /^(Put|Update|Delete|TransactWrite|BatchWrite)/;

documents.middlewareStack.add(
  (next, context) => async args => {
    if (!current) return next(args);
    const count = current;
    count.calls++;
    count.peak = Math.max(count.peak, ++underWay);
    try {
      const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
      const consumed = (result.output as { ConsumedCapacity?: Capacity | Capacity[] }).ConsumedCapacity;
      for (const { CapacityUnits = 0 } of [consumed ?? []].flat()) {
        if (WRITES.test(context.commandName ?? '')) count.writeUnits += CapacityUnits;
        else count.readUnits += CapacityUnits;
      }
      return result;
    } finally {
      underWay--;
    }
  },
  { step: 'initialize', name: 'counter', override: true },
);

/** What DynamoDB was asked for while `run` ran. Nothing else may run meanwhile. */
export async function counted(run: () => Promise<unknown>): Promise<Count> {
  const count: Count = { calls: 0, readUnits: 0, writeUnits: 0, peak: 0 };
  current = count;
  try {
    await run();
  } finally {
    current = undefined;
  }
  return count;
}
