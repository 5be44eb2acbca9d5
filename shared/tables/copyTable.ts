/** A table that is made like another. */
import { ApiError, invalidPayload } from '../http/errors.ts';
import type { Answer, Call } from '../operation.ts';
import { newTableId } from '../table/ids.ts';
import { tableIdsKey } from '../table/keys.ts';
import { startIdsAt } from '../table/rows.ts';
import { listTables, putNewTable, type Table } from '../table/tables.ts';
import { type Write, WriteConflict } from '../table/write.ts';
import { requireTableName } from './schema.ts';

interface Wishes {
  tableName?: string | undefined;
  factor?: number | undefined;
}

/** The copy of a table, not frozen, with the same columns under the same ids. @throws ApiError InvalidPayload */
export async function copyTable(botId: string, source: Table, wishes: Wishes, nowMs: number): Promise<Table> {
  const { factor = source.factor } = wishes;
  if (factor < source.factor) {
    throw invalidPayload(`The factor only grows; that of ${source.name} is ${source.factor}.`, 'factor');
  }
  return {
    ...source,
    id: newTableId(nowMs),
    name: wishes.tableName === undefined ? await freeName(botId, source.name) : requireTableName(wishes.tableName),
    factor,
    isFrozen: false,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    version: 1,
  };
}

const ENDING = 'Table';
const NAME_LENGTH = 35;

/** `ordersTable` → `ordersCopyTable`, `ordersCopy2Table` … */
async function freeName(botId: string, name: string): Promise<string> {
  const taken = new Set((await listTables(botId)).map(table => table.name));
  const base = name.slice(0, -ENDING.length);
  for (let number = 1; ; number++) {
    const ending = `Copy${number === 1 ? '' : number}${ENDING}`;
    const candidate = `${base.slice(0, NAME_LENGTH - ending.length)}${ending}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/**
 * Writes a copy; its own rows get ids behind those of the other.
 * @throws ApiError AlreadyExists where the name that was wished for is taken
 */
export async function putCopy<T>(
  { botId, input, commit }: Pick<Call<Wishes>, 'input' | 'commit'> & { botId: string },
  answer: Answer<T>,
  { table, lastId }: { table: Table; lastId: number },
  besides: Write[] = [],
): Promise<Answer<T>> {
  const ids = tableIdsKey(botId, table.id);
  const isIds = (part: Write) => 'put' in part && part.put.Item.pk === ids.pk && part.put.Item.sk === ids.sk;
  const writes = putNewTable(botId, table).filter(part => !isIds(part));
  try {
    return await commit(answer, [...writes, startIdsAt(botId, table.id, lastId), ...besides]);
  } catch (error) {
    // Somebody took the name that was free just now.
    const isTaken = error instanceof ApiError && error.type === 'AlreadyExists';
    throw isTaken && input.tableName === undefined ? new WriteConflict() : error;
  }
}
