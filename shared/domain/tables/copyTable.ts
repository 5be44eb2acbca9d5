import type { Answer, Call } from '#shared/api/operation.ts';
import { ApiError, invalidPayload } from '#shared/core/errors.ts';
import { newTableId } from '#shared/core/ids.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { listTables, type Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { putNewTable } from '#shared/storage/dynamodb/tables/tableWrites.ts';
import { availableCopyName, requireTableName } from './tableName.ts';

interface CopyInput {
  tableName?: string | undefined;
  factor?: number | undefined;
}

/** Returns the record of a copy: not frozen, with the same columns and column ids. @throws ApiError InvalidPayload */
export async function copyTable(botId: string, source: Table, input: CopyInput, nowMs: number): Promise<Table> {
  const { factor = source.factor, tableName } = input;
  if (factor < source.factor) {
    throw invalidPayload(`The factor must be at least ${source.factor}, the factor of ${source.name}.`, 'factor');
  }
  return {
    ...source,
    id: newTableId(nowMs),
    name: tableName === undefined ? availableCopyName(source.name, await namesOf(botId)) : requireTableName(tableName),
    factor,
    isFrozen: false,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    version: 1,
    loggedSinceMs: undefined,
  };
}

const namesOf = async (botId: string) => new Set((await listTables(botId)).map(({ name }) => name));

/** Writes the record of a copy. Rows added to it get ids above those of its source. @throws ApiError AlreadyExists */
export async function putCopy<T>(
  { botId, input, commit }: Pick<Call<CopyInput>, 'input' | 'commit'> & { botId: string },
  answer: Answer<T>,
  { table, lastId }: { table: Table; lastId: number },
  otherWrites: Write[] = [],
): Promise<Answer<T>> {
  try {
    return await commit(answer, [...putNewTable(botId, table, lastId), ...otherWrites]);
  } catch (error) {
    // The generated name was taken meanwhile: retry with another one.
    const isTaken = error instanceof ApiError && error.type === 'AlreadyExists';
    throw isTaken && input.tableName === undefined ? new WriteConflict() : error;
  }
}
