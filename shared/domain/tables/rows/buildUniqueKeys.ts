import { clock } from '#shared/core/clock.ts';
import { chunksOf, mapConcurrently } from '#shared/core/concurrency.ts';
import { ApiError, invalidPayload } from '#shared/core/errors.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { scanAll } from '#shared/domain/tables/reading/scan.ts';
import type { RowSource } from '#shared/domain/tables/reading/source.ts';
import { decode } from '#shared/domain/tables/schema/rowValues.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import { keyColumnOf } from '#shared/storage/dynamodb/tables/tables.ts';
import { claimKey, findHolders } from './keyHolders.ts';

const ROWS_LIMIT = 100_000;
const CHUNK_ROWS = 100;
const AT_ONCE = 8;

/**
 * Builds the unique-key entries of existing rows for a new key column. Entries have no effect until the column is the
 * key. A repeated call continues where the previous one stopped.
 */
export async function buildUniqueKeys(source: RowSource): Promise<void> {
  const { table, deadlineMs } = source;
  const column = keyColumnOf(table)!;
  const ids = new Map<string, number>();
  let fault: Error | undefined;
  let isInTime = await scanAll(source, [column.id], ({ id, values }) => {
    const value = values[column.id];
    if (value === undefined) return false;
    if (ids.has(value)) fault = duplicateValue(column, value);
    else if (ids.size === ROWS_LIMIT) {
      const text = `A key can be added to a table of at most ${ROWS_LIMIT} rows. Create a table with the key and import the rows.`;
      fault = new ApiError('LimitExceeded', text);
    }
    ids.set(value, id);
    return fault !== undefined;
  });
  if (fault) throw fault;

  await mapConcurrently(chunksOf([...ids], CHUNK_ROWS), AT_ONCE, async chunk => {
    isInTime &&= clock.now() < deadlineMs;
    if (isInTime) await claimAll(source, column, chunk);
  });
  if (!isInTime) {
    const text = `The call timed out before ${column.name} was the key of all rows. Repeat the call to continue.`;
    throw new ApiError('LimitExceeded', text);
  }
}

async function claimAll(
  source: RowSource,
  column: Column,
  entries: readonly [value: string, id: number][],
): Promise<void> {
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
      if (!seen?.row) await write([claimKey(source, column, value, id, seen?.entry)]);
    });
  });
}

const duplicateValue = (column: Column, value: string) =>
  invalidPayload(
    `Several rows have the ${column.name} ${startOf(JSON.stringify(decode(column, value)), 200)}, so it cannot be the key. Make its values unique first.`,
    'keyColumn',
  );
