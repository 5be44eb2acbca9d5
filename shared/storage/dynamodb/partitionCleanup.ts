/** Deletes whole partitions of any size, in steps that fit into one invocation. */

import { sendBatches } from './batch.ts';
import type { Key } from './keys/table.ts';
import { inPartition, queryPage } from './query.ts';
import { sectionOf, type TenantKind } from './tenants/sections.ts';

/** Progress of a sweep: the deadline, and the number of items and objects removed so far. */
export interface Progress {
  isTimeLeft: () => boolean;
  removed: number;
}

/** The invocation's time is up; the sweep continues in the next one. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/** Deletes items by key, unconditionally. */
export async function removeAll(keys: Key[]): Promise<void> {
  await sendBatches(keys.map(Key => ({ DeleteRequest: { Key } })));
}

/**
 * Deletes all items of a partition except those to keep.
 * @throws OutOfTime
 */
export async function clearPartition(pk: string, progress: Progress, isKept: (sk: string) => boolean = () => false) {
  let after: Record<string, unknown> | undefined;
  do {
    if (!progress.isTimeLeft()) throw new OutOfTime();
    const page = await queryPage({
      ...inPartition(pk),
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

/**
 * Deletes the partitions of some sections of a tenant. Records that lists lead to go last: whoever is killed amid a
 * partition would otherwise leave the rest of it in no list.
 * @param clearMore what a record has outside of its partition
 * @throws OutOfTime
 */
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
