import * as z from 'zod/mini';
import { cached } from '#shared/core/cache.ts';
import { notFound } from '#shared/core/errors.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { isTableId } from '#shared/core/ids.ts';
import { type Item, queryAll, readItem, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import {
  firstTableNameSk,
  tableCountsKey,
  tableIdsKey,
  tableKey,
  tableNameKey,
  tableNamesPk,
} from '#shared/storage/dynamodb/keys/tables.ts';
import { COLUMN_TYPES, type Column } from './column.ts';
import { noteReading } from './readings.ts';
import { type LogState, parseLogState } from './snapshots.ts';

const Computed = z.object({
  action: z.enum(['ai', 'code', 'workflow']),
  dependencies: z.optional(z.array(z.string())),
  prompt: z.optional(z.string()),
  code: z.optional(z.string()),
  model: z.optional(z.string()),
  workflowId: z.optional(z.string()),
  enabled: z.optional(z.boolean()),
});
const StoredColumn = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(COLUMN_TYPES),
  format: z.optional(z.literal('date-time')),
  description: z.optional(z.string()),
  pattern: z.optional(z.string()),
  enum: z.optional(z.array(z.string())),
  items: z.optional(z.record(z.string(), z.any())),
  properties: z.optional(z.record(z.string(), z.record(z.string(), z.any()))),
  nullable: z.boolean(),
  searchable: z.optional(z.boolean()),
  hidden: z.optional(z.boolean()),
  order: z.optional(z.number()),
  width: z.optional(z.number()),
  schemaId: z.optional(z.string()),
  typings: z.optional(z.string()),
  computed: z.optional(Computed),
});

const Table = z.object({
  id: z.string(),
  name: z.string(),
  /** Multiplies the limit of 4 KB per row, and the counted number of rows. */
  factor: z.number(),
  isFrozen: z.boolean(),
  keyColumn: z.optional(z.string()),
  /** JSON text, because schemas may contain numbers and depths that DynamoDB rejects. */
  columns: z.pipe(
    z.pipe(
      z.string(),
      z.transform(text => JSON.parse(text)),
    ),
    z.array(z.custom<Column>(value => StoredColumn.safeParse(value).success)),
  ),
  nextColumn: z.number(),
  tags: z.record(z.string(), z.string()),
  isComputeEnabled: z.boolean(),
  /** Time from which row writes are logged, see `rowLog.ts`. */
  loggedSinceMs: z.optional(z.number()),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  version: z.number(),
});
export type Table = z.infer<typeof Table>;

/** Eventually consistent, see `rowCounts.ts`. */
const Counts = z.object({
  rows: z.number(),
  stale: z.number(),
  indexing: z.number(),
});
export type Counts = z.infer<typeof Counts>;
export const NO_ROWS: Counts = { rows: 0, stale: 0, indexing: 0 };

export const parseTable = (item: Item): Table => Table.parse(item);

const parseRead = (item: Item, ids?: Item): Table => {
  const table = parseTable(item);
  noteReading(table, ids);
  return table;
};
const CACHE_MS = 60_000;
/** Cached ids are verified against the name of the record. */
const findIdOf = async (key: string): Promise<string | undefined> => {
  const [botId, name] = key.split('#') as [string, string];
  return (await readItem(tableNameKey(botId, name)))?.tableId;
};
const cachedIdOf = cached(findIdOf, { forMs: CACHE_MS, keepsAbsence: false });

/** Reads a table by id or name, with items of other keys, in one round trip. An uncached name takes another. */
async function find(botId: string, idOrName: string, otherKeys: (tableId: string) => { pk: string; sk: string }[]) {
  const load = (id: string) => readItems([tableKey(botId, id), ...otherKeys(id)]);
  if (isTableId(idOrName)) return load(idOrName);
  const key = `${botId}#${idOrName}`;
  const cachedId = await cachedIdOf(key);
  const items = cachedId === undefined ? [] : await load(cachedId);
  if (items[0]?.name === idOrName) return items;
  // The table was renamed, or replaced by one with the same name.
  const currentId = await findIdOf(key);
  return currentId === undefined || currentId === cachedId ? [] : load(currentId);
}

const parseRequired = (item: Item | undefined, idOrName: string, ids?: Item): Table => {
  if (!item) throw notFound(`The table ${startOf(idOrName, 200)}`);
  return parseRead(item, ids);
};

export async function findTable(botId: string, tableId: string): Promise<Table | undefined> {
  const item = await readItem(tableKey(botId, tableId));
  return item && parseRead(item);
}

/** Reads the last row id too, so that writes of existing rows need not ask whether they must be logged. */
export async function findTableToWrite(botId: string, tableId: string): Promise<Table | undefined> {
  const [item, ids] = await readItems([tableKey(botId, tableId), tableIdsKey(botId, tableId)]);
  return item && parseRead(item, ids);
}

/** Like {@link findTableToWrite}. @throws ApiError ResourceNotFound */
export const requireTableToWrite = async (botId: string, idOrName: string): Promise<Table> =>
  (await requireTableWithIds(botId, idOrName)).table;

export async function requireTable(botId: string, idOrName: string): Promise<Table> {
  const [item] = await find(botId, idOrName, () => []);
  return parseRequired(item, idOrName);
}

export interface TableWithIds {
  table: Table;
  lastId: number;
  log: LogState;
}

export async function requireTableWithIds(botId: string, idOrName: string): Promise<TableWithIds> {
  const [item, ids] = await find(botId, idOrName, id => [tableIdsKey(botId, id)]);
  return { table: parseRequired(item, idOrName, ids), lastId: ids?.lastId ?? 0, log: parseLogState(ids ?? {}) };
}

export async function requireTableWithCounts(
  botId: string,
  idOrName: string,
): Promise<{ table: Table; counts: Counts }> {
  const [item, counts] = await find(botId, idOrName, id => [tableCountsKey(botId, id)]);
  return { table: parseRequired(item, idOrName), counts: Counts.parse(counts ?? NO_ROWS) };
}

export async function listTableIds(botId: string): Promise<string[]> {
  const ids: string[] = [];
  const query = {
    KeyConditionExpression: 'pk = :pk AND sk >= :first',
    ExpressionAttributeValues: { ':pk': tableNamesPk(botId), ':first': firstTableNameSk },
    ConsistentRead: true,
  };
  for await (const { tableId } of queryAll(query)) ids.push(tableId);
  return ids;
}

export async function listTables(botId: string): Promise<Table[]> {
  const ids = await listTableIds(botId);
  if (ids.length === 0) return [];
  const items = await readItems(ids.map(id => tableKey(botId, id)));
  return items.flatMap(item => (item ? [parseTable(item)] : []));
}

export const columnOf = (table: Pick<Table, 'columns'>, name: string): Column | undefined =>
  table.columns.find(column => column.name === name);
export const keyColumnOf = (table: Table): Column | undefined =>
  table.keyColumn === undefined ? undefined : table.columns.find(({ id }) => id === table.keyColumn);
