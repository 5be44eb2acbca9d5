import { sendBatches } from './batch.ts';
import type { Key } from './keys/table.ts';
import { partitionQuery, queryPage } from './query.ts';
import { sectionOf, type TenantKind } from './tenants/sections.ts';

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

/** Listed records are deleted last, so that a crash leaves no unlisted remains. @throws OutOfTime */
export async function clearSections(
  kind: TenantKind,
  tenant: string,
  names: readonly string[],
  progress: Progress,
  clearMore: (pk: string) => Promise<void> = async () => {},
): Promise<void> {
  let records: Key[] = [];
  const removeRecords = async () => {
    await removeAll(records);
    progress.removed += records.length;
    records = [];
  };
  for (const name of names) {
    for await (const { pk, listedSk } of sectionOf(kind, name).partitions(tenant)) {
      await clearPartition(pk, progress, sk => sk === listedSk);
      if (listedSk === undefined) continue;
      await clearMore(pk);
      records.push({ pk, sk: listedSk });
      if (records.length === REMOVED_TOGETHER) await removeRecords();
    }
    await removeRecords();
  }
}
const REMOVED_TOGETHER = 100;
