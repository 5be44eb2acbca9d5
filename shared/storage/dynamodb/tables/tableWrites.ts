/** Writes of tables, which also claim their names and count the size of their definitions. */
import { ApiError } from '#shared/core/errors.ts';
import { tryWrite, unconditional, type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  tableCountsKey,
  tableDefinitionsKey,
  tableIdsKey,
  tableKey,
  tableNameKey,
} from '#shared/storage/dynamodb/keys/tables.ts';
import { NO_ROWS, type Table } from './tables.ts';

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

/** Limit per bot, because `listTables` has no pages, and its response must fit into 6 MB with every quote escaped. */
const DEFINITIONS_LIMIT_BYTES = 2_500_000;
const TABLE_BYTES = 600;
const COLUMN_BYTES = 80;
const definitionBytes = ({ columns, tags }: Table) =>
  Buffer.byteLength(JSON.stringify([columns, tags])) + COLUMN_BYTES * columns.length + TABLE_BYTES;

export const definitionsItem = (botId: string, tables: readonly Table[]) => ({
  ...tableDefinitionsKey(botId),
  bytes: tables.reduce((sum, table) => sum + definitionBytes(table), 0),
});

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
    `The schemas and tags of all tables of a bot can have at most ${DEFINITIONS_LIMIT_BYTES} bytes. Delete tables or columns, or shorten their definitions.`,
    { metadata: { limitBytes: DEFINITIONS_LIMIT_BYTES } },
  );

const itemOf = (botId: string, table: Table) => ({
  ...tableKey(botId, table.id),
  ...table,
  columns: JSON.stringify(table.columns),
});

/** Fails with AlreadyExists for a used name, and LimitExceeded if the bot's definitions are too large. */
export const putNewTable = (botId: string, table: Table, lastId = 0): Write[] => [
  claimName(botId, table),
  ...countDefinition(botId, definitionBytes(table)),
  { put: { Item: itemOf(botId, table) }, onRefused: unconditional },
  {
    put: {
      Item: {
        ...tableIdsKey(botId, table.id),
        lastId,
        // A table that is created with a log contains no row that precedes it.
        ...(table.loggedSinceMs === undefined ? {} : { loggedFromId: 0 }),
      },
    },
    onRefused: unconditional,
  },
  {
    put: { Item: { ...tableCountsKey(botId, table.id), ...NO_ROWS, factor: table.factor } },
    onRefused: unconditional,
  },
];

/** Returns the next version of a table. The write fails with {@link WriteConflict} after a concurrent write. */
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
      // The start of logging does not increment the version.
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

/**
 * Starts a table's log. Idempotent. The last row id is stored first: from then on, new rows are logged, even if a crash
 * prevents the second write.
 */
export async function startLog(botId: string, tableId: string, nowMs: number): Promise<void> {
  const isPresent = await tryWrite({
    update: {
      Key: tableIdsKey(botId, tableId),
      UpdateExpression: 'SET loggedFromId = if_not_exists(loggedFromId, lastId)',
      ConditionExpression: 'attribute_exists(pk)',
    },
  });
  if (isPresent) await markLogged(botId, tableId, nowMs);
}

/** Completes the start of a log by `allocateIds`. */
export async function markLogged(botId: string, tableId: string, nowMs: number): Promise<void> {
  await tryWrite({
    update: {
      Key: tableKey(botId, tableId),
      UpdateExpression: 'SET loggedSinceMs = :now',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(loggedSinceMs)',
      ExpressionAttributeValues: { ':now': nowMs },
    },
  });
}

/** `removeCounts` reverts the counts. The stream triggers the sweep of rows. */
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
