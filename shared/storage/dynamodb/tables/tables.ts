/**
 * The records of tables, each replaced as a whole and guarded by its version, and the entries that resolve their names.
 */

import * as z from 'zod/mini';
import { cached } from '#shared/core/cache.ts';
import { clock } from '#shared/core/clock.ts';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { isTableId } from '#shared/core/ids.ts';
import {
  firstTableNameSk,
  tableCountsKey,
  tableDefinitionsKey,
  tableIdsKey,
  tableKey,
  tableNameKey,
  tableNamesPk,
} from '#shared/storage/dynamodb/keys/tables.ts';
import { type Item, queryAll, readItem, readItems } from '#shared/storage/dynamodb/query.ts';
import { tryWrite, unconditional, type Write, WriteConflict } from '#shared/storage/dynamodb/transaction.ts';
import { COLUMN_TYPES, type Column } from './column.ts';
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
  /** Multiplies the 4 KB a row may have, and the number of rows it counts as. */
  factor: z.number(),
  isFrozen: z.boolean(),
  /** The id of the column whose values are unique. */
  keyColumn: z.optional(z.string()),
  /** Stored as text: schemas of callers hold numbers and depths that a DynamoDB map refuses. */
  columns: z.pipe(
    z.pipe(
      z.string(),
      z.transform(text => JSON.parse(text)),
    ),
    z.array(z.custom<Column>(value => StoredColumn.safeParse(value).success)),
  ),
  /** The number from which the next column id is derived: see `tables/schema/columns.ts`. */
  nextColumn: z.number(),
  tags: z.record(z.string(), z.string()),
  isComputeEnabled: z.boolean(),
  /** Since when every write of rows leaves an entry in the table's log: see `rowLog.ts`. */
  loggedSinceMs: z.optional(z.number()),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  version: z.number(),
});
export type Table = z.infer<typeof Table>;

/** Counts of a table's rows, updated a moment after the rows change: see `rowCounts.ts`. */
const Counts = z.object({
  rows: z.number(),
  /** Rows with a value still to be computed. */
  stale: z.number(),
  /** Rows the search index does not reflect yet. */
  indexing: z.number(),
});
export type Counts = z.infer<typeof Counts>;
export const NO_ROWS: Counts = { rows: 0, stale: 0, indexing: 0 };

export const parseTable = (item: Item): Table => Table.parse(item);

/** When a record was read that a function may have kept for a while. */
const readAtMs = new WeakMap<Table, number>();
const parseRead = (item: Item): Table => {
  const table = parseTable(item);
  readAtMs.set(table, clock.now());
  return table;
};
/** How old a record may be whose `loggedSinceMs` counts. */
const FRESH_MS = 20_000;

/** Whether a write of the table's rows, sent right after this call, leaves an entry in its log. */
export async function isLogged(botId: string, table: Table): Promise<boolean> {
  if (table.loggedSinceMs !== undefined) return true;
  if (clock.now() - (readAtMs.get(table) ?? 0) < FRESH_MS) return false;
  return (await findTable(botId, table.id))?.loggedSinceMs !== undefined;
}
const itemOf = (botId: string, table: Table) => ({
  ...tableKey(botId, table.id),
  ...table,
  columns: JSON.stringify(table.columns),
});

const CACHE_MS = 60_000;
/** A cached id is verified against the name of the record it leads to. */
const findIdOf = async (key: string): Promise<string | undefined> => {
  const [botId, name] = key.split('#') as [string, string];
  return (await readItem(tableNameKey(botId, name)))?.tableId;
};
const cachedIdOf = cached(findIdOf, { forMs: CACHE_MS, keepsAbsence: false });

/**
 * The items of a table by id or name: its record, then those at the other keys. One round trip; one more for a name
 * that is not cached.
 */
async function find(botId: string, idOrName: string, otherKeys: (tableId: string) => { pk: string; sk: string }[]) {
  const load = (id: string) => readItems([tableKey(botId, id), ...otherKeys(id)]);
  if (isTableId(idOrName)) return load(idOrName);
  const key = `${botId}#${idOrName}`;
  const cachedId = await cachedIdOf(key);
  const items = cachedId === undefined ? [] : await load(cachedId);
  if (items[0]?.name === idOrName) return items;
  // The table was renamed, or replaced by another of the name.
  const currentId = await findIdOf(key);
  return currentId === undefined || currentId === cachedId ? [] : load(currentId);
}

const parseRequired = (item: Item | undefined, idOrName: string): Table => {
  if (!item) throw notFound(`The table ${idOrName.slice(0, 200)}`);
  return parseRead(item);
};

export async function findTable(botId: string, tableId: string): Promise<Table | undefined> {
  const item = await readItem(tableKey(botId, tableId));
  return item && parseRead(item);
}

/** @throws ApiError ResourceNotFound */
export async function requireTable(botId: string, idOrName: string): Promise<Table> {
  const [item] = await find(botId, idOrName, () => []);
  return parseRequired(item, idOrName);
}

/** A table with the last row id it has given out, and how far its log and its snapshot are. */
export interface TableWithIds {
  table: Table;
  lastId: number;
  log: LogState;
}

/** @throws ApiError ResourceNotFound */
export async function requireTableWithIds(botId: string, idOrName: string): Promise<TableWithIds> {
  const [item, ids] = await find(botId, idOrName, id => [tableIdsKey(botId, id)]);
  return { table: parseRequired(item, idOrName), lastId: ids?.lastId ?? 0, log: parseLogState(ids ?? {}) };
}

/** A table with the counts of its rows. @throws ApiError ResourceNotFound */
export async function requireTableWithCounts(
  botId: string,
  idOrName: string,
): Promise<{ table: Table; counts: Counts }> {
  const [item, counts] = await find(botId, idOrName, id => [tableCountsKey(botId, id)]);
  return { table: parseRequired(item, idOrName), counts: Counts.parse(counts ?? NO_ROWS) };
}

/** The ids of all tables of a bot, sorted by name. */
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

/** All tables of a bot, sorted by name. */
export async function listTables(botId: string): Promise<Table[]> {
  const ids = await listTableIds(botId);
  if (ids.length === 0) return [];
  const items = await readItems(ids.map(id => tableKey(botId, id)));
  return items.flatMap(item => (item ? [parseTable(item)] : []));
}

const taken = (name: string) =>
  new ApiError('AlreadyExists', `A table named ${name} already exists. Choose another name.`);

const claimName = (botId: string, table: Table): Write => ({
  put: {
    Item: { ...tableNameKey(botId, table.name), tableId: table.id },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  onRefused: () => taken(table.name),
});
const releaseName = (botId: string, table: Table): Write => ({
  remove: {
    Key: tableNameKey(botId, table.name),
    ConditionExpression: 'tableId = :id',
    ExpressionAttributeValues: { ':id': table.id },
  },
  onRefused: () => new WriteConflict(),
});

/** Of all tables of a bot: `listTables` has no pages, and its answer must fit into 6 MB with every quote escaped. */
const DEFINITIONS_LIMIT_BYTES = 2_500_000;
/** What an answer adds to a table and to each of its columns. */
const TABLE_BYTES = 600;
const COLUMN_BYTES = 80;
const definitionBytes = ({ columns, tags }: Table) =>
  Buffer.byteLength(JSON.stringify([columns, tags])) + COLUMN_BYTES * columns.length + TABLE_BYTES;

/** The item that tells how large the definitions of a bot's tables are. */
export const definitionsItem = (botId: string, tables: readonly Table[]) => ({
  ...tableDefinitionsKey(botId),
  bytes: tables.reduce((sum, table) => sum + definitionBytes(table), 0),
});

/** Refused with LimitExceeded when the tables of the bot would be too large to list. */
const countDefinition = (botId: string, change: number): Write[] =>
  change === 0
    ? []
    : [
        {
          update: {
            Key: tableDefinitionsKey(botId),
            UpdateExpression: 'ADD bytes :change',
            ...(change > 0 ? { ConditionExpression: 'attribute_not_exists(bytes) OR bytes <= :most' } : {}),
            ExpressionAttributeValues: {
              ':change': change,
              ...(change > 0 ? { ':most': DEFINITIONS_LIMIT_BYTES - change } : {}),
            },
          },
          onRefused: tooManyDefinitions,
        },
      ];

const tooManyDefinitions = () =>
  new ApiError(
    'LimitExceeded',
    `The schemas and tags of all tables of a bot have at most ${DEFINITIONS_LIMIT_BYTES} bytes. Delete tables or columns, or shorten their definitions.`,
    { metadata: { limitBytes: DEFINITIONS_LIMIT_BYTES } },
  );

/**
 * Creates a table. Refused with AlreadyExists when its name is taken, and LimitExceeded when the bot's are too large.
 */
export const putNewTable = (botId: string, table: Table, lastId = 0): Write[] => [
  claimName(botId, table),
  ...countDefinition(botId, definitionBytes(table)),
  { put: { Item: itemOf(botId, table) }, onRefused: unconditional },
  { put: { Item: { ...tableIdsKey(botId, table.id), lastId } }, onRefused: unconditional },
  {
    put: { Item: { ...tableCountsKey(botId, table.id), ...NO_ROWS, factor: table.factor } },
    onRefused: unconditional,
  },
];

/**
 * The next version of a table. Refused with a {@link WriteConflict} when another write came first: compute the change
 * again.
 */
export function changeTable(
  botId: string,
  before: Table,
  changed: Table,
  nowMs: number,
): { table: Table; writes: Write[] } {
  const table = { ...changed, version: before.version + 1, updatedAtMs: Math.max(nowMs, before.updatedAtMs + 1) };
  const put: Write = {
    put: {
      Item: itemOf(botId, table),
      // The platform sets the mark of a logged table beside the versions.
      ConditionExpression: `version = :version AND attribute_${before.loggedSinceMs === undefined ? 'not_exists' : 'exists'}(loggedSinceMs)`,
      ExpressionAttributeValues: { ':version': before.version },
    },
    onRefused: () => new WriteConflict(),
  };
  return {
    table,
    writes: [
      put,
      ...(table.name === before.name ? [] : [releaseName(botId, before), claimName(botId, table)]),
      ...countDefinition(botId, definitionBytes(table) - definitionBytes(before)),
    ],
  };
}

/** Has every write of the table's rows leave an entry in its log from now on. */
export async function startLog(botId: string, tableId: string, nowMs: number): Promise<void> {
  await tryWrite({
    update: {
      Key: tableKey(botId, tableId),
      UpdateExpression: 'SET loggedSinceMs = :now',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(loggedSinceMs)',
      ExpressionAttributeValues: { ':now': nowMs },
    },
  });
}

/**
 * Deletes a table. Its counts are reverted by `removeCounts`; its rows are swept once the stream reports the deletion.
 */
export const removeTable = (botId: string, table: Table): Write[] => [
  {
    remove: {
      Key: tableKey(botId, table.id),
      ConditionExpression: 'version = :version',
      ExpressionAttributeValues: { ':version': table.version },
    },
    onRefused: () => new WriteConflict(),
  },
  releaseName(botId, table),
  ...countDefinition(botId, -definitionBytes(table)),
  { remove: { Key: tableIdsKey(botId, table.id) }, onRefused: unconditional },
];

export const columnOf = (table: Pick<Table, 'columns'>, name: string): Column | undefined =>
  table.columns.find(column => column.name === name);
export const keyColumnOf = (table: Table): Column | undefined =>
  table.keyColumn === undefined ? undefined : table.columns.find(({ id }) => id === table.keyColumn);
