import { documents } from '#shared/storage/dynamodb/engine/client.ts';

interface Capacity {
  CapacityUnits?: number;
}

export interface Cost {
  calls: number;
  readUnits: number;
  writeUnits: number;
}

const WRITES = /^(Put|Update|Delete|BatchWrite|TransactWrite)/;

/** Counts the DynamoDB calls and units of `run`. */
export async function metered(run: () => Promise<unknown>): Promise<Cost> {
  const cost = { calls: 0, readUnits: 0, writeUnits: 0 };
  const meter = { name: 'meter', step: 'initialize' } as const;
  documents.middlewareStack.add(
    (next, { commandName = '' }) =>
      async args => {
        cost.calls++;
        const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
        // A batch reports one figure per table.
        const { ConsumedCapacity } = result.output as { ConsumedCapacity?: Capacity | Capacity[] };
        const units = WRITES.test(commandName) ? 'writeUnits' : 'readUnits';
        for (const each of [ConsumedCapacity].flat()) cost[units] += each?.CapacityUnits ?? Number.NaN;
        return result;
      },
    meter,
  );
  try {
    await run();
  } finally {
    documents.middlewareStack.remove(meter.name);
  }
  return cost;
}
