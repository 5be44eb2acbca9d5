/** Pointer to a table's snapshot of rows up to a log revision. Stored with the last row id, which every query reads. */
import * as z from 'zod/mini';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite } from '#shared/storage/dynamodb/engine/transaction.ts';
import { tableIdsKey } from '#shared/storage/dynamodb/keys/tables.ts';

const Snapshot = z.object({
  object: z.string(),
  /** Revision as of which every row is included, except for `pending`. */
  revision: z.number(),
  /** Writes in progress at that revision: [revision, deadline]. */
  pending: z.array(z.tuple([z.number(), z.number()])),
  /** Size of the file. */
  bytes: z.number(),
  /** Of the object, which is compressed with zstd if `isCompressed`. */
  checksum: z.number(),
  isCompressed: z.optional(z.boolean()),
  madeAtMs: z.number(),
  /** `loggedRows` of the table at that revision. */
  loggedRows: z.optional(z.number()),
  /** Until this time, rows with these ids may change without a log entry. */
  unsettled: z.optional(z.object({ upTo: z.number(), untilMs: z.number() })),
});
export type Snapshot = z.infer<typeof Snapshot>;

export const isTooLarge = ({ object }: Snapshot): boolean => object === '';

export interface LogState {
  revision: number;
  snapshot: Snapshot | undefined;
  /** Number of logged row changes so far. */
  loggedRows: number;
  /** Last row id before the log was started. Undefined if it was not, or by a release that did not store it. */
  loggedFromId: number | undefined;
}

export function parseLogState(ids: Item): LogState {
  const snapshot = Snapshot.safeParse(ids.latestSnapshot);
  return {
    revision: ids.revision ?? 0,
    snapshot: snapshot.success ? snapshot.data : undefined,
    loggedRows: ids.loggedRows ?? 0,
    loggedFromId: ids.loggedFromId,
  };
}

/** Number of logged row changes that the latest snapshot does not include. */
export const tailOf = ({ loggedRows, snapshot }: LogState): number => loggedRows - (snapshot?.loggedRows ?? 0);

export const setCurrentSnapshot = (botId: string, tableId: string, snapshot: Snapshot): Promise<boolean> =>
  tryWrite({
    update: {
      Key: tableIdsKey(botId, tableId),
      UpdateExpression: 'SET latestSnapshot = :snapshot',
      ConditionExpression:
        'attribute_exists(pk) AND (attribute_not_exists(latestSnapshot) OR latestSnapshot.revision <= :revision)',
      ExpressionAttributeValues: { ':snapshot': snapshot, ':revision': snapshot.revision },
    },
  });
