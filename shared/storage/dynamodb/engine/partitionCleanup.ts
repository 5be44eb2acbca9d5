import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { sendBatches } from './batch.ts';
import { partitionQuery, queryPage } from './query.ts';

export interface Progress {
  isTimeLeft: () => boolean;
  removed: number;
}

/** The invocation is about to time out. The sweep continues in the next one. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

export async function removeAll(keys: Key[]): Promise<void> {
  await sendBatches(keys.map(Key => ({ DeleteRequest: { Key } })));
}

export async function clearPartition(pk: string, progress: Progress, isKept: (sk: string) => boolean = () => false) {
  let after: Record<string, unknown> | undefined;
  do {
    if (!progress.isTimeLeft()) throw new OutOfTime();
    const page = await queryPage({
      ...partitionQuery(pk),
      ProjectionExpression: 'pk, sk',
      Limit: 500,
      ExclusiveStartKey: after,
    });
    const keys = page.items.map(({ pk, sk }) => ({ pk, sk })).filter(({ sk }) => !isKept(sk));
    await removeAll(keys);
    progress.removed += keys.length;
    after = page.next;
  } while (after);
}
