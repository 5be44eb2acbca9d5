import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { environment } from '#shared/core/environment.ts';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { sendBatches } from '#shared/storage/dynamodb/engine/batch.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import {
  asConflict,
  isConditionFailed,
  tryWrite,
  unconditional,
  type Write,
  WriteConflict,
} from '#shared/storage/dynamodb/engine/transaction.ts';
import { rowKey, tableIdsKey } from '#shared/storage/dynamodb/keys/tables.ts';
import { type Cell, ROW, type Row, toItem } from './row.ts';
import { type LogState, parseLogState } from './snapshots.ts';

const MAX_ID = 2 ** 31 - 1;

interface AllocateOptions {
  /** Reserves a log revision for this many rows. */
  loggedRows?: number;
  /** Starts the log, if it is not started: it contains the rows with these ids and with later ones. */
  startsLog?: boolean;
}

/** Reserves row ids. Returns the state after it. @throws ApiError ResourceNotFound or QuotaExceeded */
export async function allocateIds(
  botId: string,
  tableId: string,
  count: number,
  { loggedRows, startsLog = false }: AllocateOptions = {},
): Promise<{ lastId: number; log: LogState }> {
  const isLogged = loggedRows !== undefined;
  try {
    const { Attributes } = await documents.send(
      new UpdateCommand({
        TableName: environment.tableName,
        Key: tableIdsKey(botId, tableId),
        // `lastId` is the one before this update.
        UpdateExpression: `${startsLog ? 'SET loggedFromId = if_not_exists(loggedFromId, lastId) ' : ''}ADD lastId :count${isLogged ? ', revision :one, loggedRows :rows' : ''}`,
        ConditionExpression: 'attribute_exists(pk) AND lastId <= :most',
        ExpressionAttributeValues: {
          ':count': count,
          ':most': MAX_ID - count,
          ...(isLogged ? { ':one': 1, ':rows': loggedRows } : {}),
        },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { lastId: Attributes!.lastId, log: parseLogState(Attributes!) };
  } catch (error) {
    if (isConditionFailed(error)) {
      if (!error.Item) throw notFound('The table');
      throw new ApiError(
        'QuotaExceeded',
        `The table has used all of its ${MAX_ID} row ids, which are never reused. Create another table.`,
      );
    }
    throw asConflict(error);
  }
}

export const putRow = (botId: string, tableId: string, row: Row): Write => ({
  put: { Item: toItem(botId, tableId, row) },
  onRefused: unconditional,
});

export async function putRows(botId: string, tableId: string, rows: readonly Row[]): Promise<void> {
  await sendBatches(rows.map(row => ({ PutRequest: { Item: toItem(botId, tableId, row) } })));
}

export interface RowChange {
  set: Record<string, string | null>;
  cells: Record<string, Cell>;
  pending: string[];
  isUnindexed: boolean;
  dropped: readonly string[];
  nowMs: number;
}

/** The write may fail with {@link WriteConflict}. Recompute it then: pending values depend on the whole row. */
export function changeRow(botId: string, tableId: string, before: Row, change: RowChange): { row: Row; write: Write } {
  const values = { ...before.values };
  for (const column of change.dropped) delete values[column];
  for (const [column, value] of Object.entries(change.set)) {
    if (value === null) delete values[column];
    else values[column] = value;
  }
  const row: Row = {
    ...before,
    values,
    cells: change.cells,
    pending: change.pending,
    isUnindexed: change.isUnindexed,
    updatedAtMs: Math.max(change.nowMs, before.updatedAtMs),
    version: before.version + 1,
  };
  const put: Write = {
    put: {
      Item: toItem(botId, tableId, row),
      ConditionExpression: '#version = :seen',
      ExpressionAttributeNames: { '#version': ROW.version },
      ExpressionAttributeValues: { ':seen': before.version },
    },
    onRefused: () => new WriteConflict(),
  };
  return { row, write: put };
}

export async function markIndexed(botId: string, tableId: string, row: Row): Promise<void> {
  await tryWrite({
    update: {
      Key: rowKey(botId, tableId, row.id),
      UpdateExpression: 'REMOVE #unindexed',
      // A changed row is indexed again by the job of its change.
      ConditionExpression: '#version = :seen',
      ExpressionAttributeNames: { '#unindexed': ROW.isUnindexed, '#version': ROW.version },
      ExpressionAttributeValues: { ':seen': row.version },
    },
  });
}

const CONCURRENT_DELETES = 32;

export async function removeRows(botId: string, tableId: string, ids: readonly number[]): Promise<number[]> {
  const removed = await mapConcurrently([...new Set(ids)], CONCURRENT_DELETES, async id => {
    const remove = { Key: rowKey(botId, tableId, id), ConditionExpression: 'attribute_exists(pk)' };
    const existed = await tryWrite({ remove });
    return existed ? [id] : [];
  });
  return removed.flat();
}
