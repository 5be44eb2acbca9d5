/** Making a column the key of a table that has rows: every row gets the entry of its value. */
import { chunksOf, mapConcurrently } from '#shared/concurrency.ts';
import type { Column } from '#shared/dynamodb/tables/column.ts';
import { keyColumnOf } from '#shared/dynamodb/tables/tables.ts';
import { retryConflicts, write } from '#shared/dynamodb/transaction.ts';
import { ApiError, invalidPayload } from '#shared/errors.ts';
import { type RowSource, scanAll } from '#shared/tables/find/findRows.ts';
import { findHolders, claimKey } from './keyHolders.ts';
import { decode } from './values.ts';

/** Values that are in memory at once. */
const ROWS_LIMIT = 100_000;
const LOOKED_AT_TOGETHER = 100;
const AT_ONCE = 8;

/**
 * Makes the entries of all rows for the key column of a table. An entry that nobody asks for yet does no harm, so they are
 * made before the column becomes the key; repeated, this goes on where it ended.
 * @param source its table as it is to be
 * @throws ApiError InvalidPayload when two rows have the same value, LimitExceeded when there are too many rows, or there was
 * no time for all of them
 */
export async function buildUniqueKeys(source: RowSource): Promise<void> {
  const { table, deadlineMs } = source;
  const column = keyColumnOf(table)!;
  const ids = new Map<string, number>();
  let fault: Error | undefined;
  const isAll = await scanAll(source, [column.id], ({ id, values }) => {
    const value = values[column.id];
    if (value === undefined) return false;
    if (ids.has(value)) fault = duplicateValue(column, value);
    else if (ids.size === ROWS_LIMIT) {
      const text = `A key is made of at most ${ROWS_LIMIT} rows. Create a table with the key, and import the rows.`;
      fault = new ApiError('LimitExceeded', text);
    }
    ids.set(value, id);
    return fault !== undefined;
  });
  if (fault) throw fault;

  const isTimeLeft = () => Date.now() < deadlineMs;
  let hasTime = isAll;
  await mapConcurrently(chunksOf([...ids], LOOKED_AT_TOGETHER), AT_ONCE, async some => {
    hasTime &&= isTimeLeft();
    if (hasTime) await claim(source, column, some);
  });
  if (!hasTime) {
    const text = `There was no time to make ${column.name} the key of all rows. Repeat the call: it goes on where it ended.`;
    throw new ApiError('LimitExceeded', text);
  }
}

async function claim(source: RowSource, column: Column, entries: readonly [value: string, id: number][]): Promise<void> {
  const holders = await findHolders(
    source,
    column,
    entries.map(([value]) => value),
  );
  const missing = entries.flatMap(([value, id], i) =>
    holders[i]?.row?.id === id ? [] : [{ value, id, known: holders[i] }],
  );
  await mapConcurrently(missing, AT_ONCE, async ({ value, id, known }) => {
    let holder = known;
    await retryConflicts(async () => {
      holder ??= (await findHolders(source, column, [value]))[0];
      const seen = holder;
      holder = undefined;
      if (seen?.row && seen.row.id !== id) throw duplicateValue(column, value);
      if (!seen?.row) await write([claimKey(source, column, value, id, seen?.claim)]);
    });
  });
}

const duplicateValue = (column: Column, value: string) =>
  invalidPayload(
    `Several rows have the ${column.name} ${JSON.stringify(decode(column, value)).slice(0, 200)}, so it cannot be the key.`,
    'keyColumn',
  );
