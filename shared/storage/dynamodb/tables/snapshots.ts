/**
 * The pointer to a table's snapshot, an object that holds the rows up to a revision of the table's log. It lies with
 * the last row id and the last revision, which every query reads anyway.
 */
import * as z from 'zod/mini';
import { tableIdsKey } from '#shared/storage/dynamodb/keys/tables.ts';
import type { Item } from '#shared/storage/dynamodb/query.ts';
import { tryWrite } from '#shared/storage/dynamodb/transaction.ts';

const Snapshot = z.object({
  object: z.string(),
  /** It holds every row as it was at this revision of the log, or later … */
  revision: z.number(),
  /** … but for these earlier revisions, whose writes were in progress: [revision, until when one may still come]. */
  pending: z.array(z.tuple([z.number(), z.number()])),
  bytes: z.number(),
  /** CRC-32 of the object. */
  checksum: z.number(),
  madeAtMs: z.number(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** A table that has no snapshot because it would be too large. */
export const isTooLarge = ({ object }: Snapshot): boolean => object === '';

export interface LogState {
  /** The last revision that was given out. */
  revision: number;
  snapshot: Snapshot | undefined;
}

export function parseLogState(ids: Item): LogState {
  const snapshot = Snapshot.safeParse(ids.latestSnapshot);
  return { revision: ids.revision ?? 0, snapshot: snapshot.success ? snapshot.data : undefined };
}

/** Points to a snapshot. @returns false when the table is gone, or there is a later one */
export const pointToSnapshot = (botId: string, tableId: string, snapshot: Snapshot): Promise<boolean> =>
  tryWrite({
    update: {
      Key: tableIdsKey(botId, tableId),
      UpdateExpression: 'SET latestSnapshot = :snapshot',
      ConditionExpression:
        'attribute_exists(pk) AND (attribute_not_exists(latestSnapshot) OR latestSnapshot.revision <= :revision)',
      ExpressionAttributeValues: { ':snapshot': snapshot, ':revision': snapshot.revision },
    },
  });
