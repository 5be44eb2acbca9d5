/** A table that is made like another. */

import type { Answer, Call } from '#shared/api/operation.ts';
import { listTables, putNewTable, type Table } from '#shared/dynamodb/tables/tables.ts';
import { type Write, WriteConflict } from '#shared/dynamodb/transaction.ts';
import { ApiError, invalidPayload } from '#shared/errors.ts';
import { newTableId } from '#shared/ids.ts';
import { availableCopyName, requireTableName } from './tableName.ts';

interface CopyInput {
  tableName?: string | undefined;
  factor?: number | undefined;
}

/** The copy of a table, not frozen, with the same columns under the same ids. @throws ApiError InvalidPayload */
export async function copyTable(botId: string, source: Table, wishes: CopyInput, nowMs: number): Promise<Table> {
  const { factor = source.factor } = wishes;
  if (factor < source.factor) {
    throw invalidPayload(`The factor only grows; that of ${source.name} is ${source.factor}.`, 'factor');
  }
  return {
    ...source,
    id: newTableId(nowMs),
    name:
      wishes.tableName === undefined ? availableCopyName(source.name, await namesOf(botId)) : requireTableName(wishes.tableName),
    factor,
    isFrozen: false,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    version: 1,
  };
}

const namesOf = async (botId: string) => new Set((await listTables(botId)).map(({ name }) => name));

/**
 * Writes a copy; its own rows get ids behind those of the other.
 * @throws ApiError AlreadyExists where the name that was wished for is taken
 */
export async function putCopy<T>(
  { botId, input, commit }: Pick<Call<CopyInput>, 'input' | 'commit'> & { botId: string },
  answer: Answer<T>,
  { table, lastId }: { table: Table; lastId: number },
  besides: Write[] = [],
): Promise<Answer<T>> {
  try {
    return await commit(answer, [...putNewTable(botId, table, lastId), ...besides]);
  } catch (error) {
    // Somebody took the name that was free just now.
    const isTaken = error instanceof ApiError && error.type === 'AlreadyExists';
    throw isTaken && input.tableName === undefined ? new WriteConflict() : error;
  }
}
