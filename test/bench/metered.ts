import { documents } from '#shared/storage/dynamodb/engine/client.ts';

interface Capacity {
  CapacityUnits?: number;
}

export interface Cost {
  calls: number;
  readUnits: number;
}

/** Counts the DynamoDB calls and read units of `run`. */
export async function metered(run: () => Promise<unknown>): Promise<Cost> {
  const cost = { calls: 0, readUnits: 0 };
  const meter = { name: 'meter', step: 'initialize' } as const;
  documents.middlewareStack.add(
    next => async args => {
      cost.calls++;
      const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
      // A batch reports one figure per table.
      const { ConsumedCapacity } = result.output as { ConsumedCapacity?: Capacity | Capacity[] };
      for (const each of [ConsumedCapacity].flat()) cost.readUnits += each?.CapacityUnits ?? Number.NaN;
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
