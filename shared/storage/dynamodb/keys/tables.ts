/**
 * Keys of the tables interface.
 *
 * | access pattern            | index | pk                         | sk              |
 * |---------------------------|-------|----------------------------|-----------------|
 * | table by id               | table | <bot>#<table>              | table           |
 * | last row id; row counts   | table | <bot>#<table>              | ids; counts     |
 * | jobs of a table           | table | <bot>#<table>              | job#<position>  |
 * | tables of a bot by name   | table | <bot>#tables               | <name>          |
 * | size of their definitions | table | <bot>#tables               | #definitions    |
 * | row by id; rows of a part | table | <bot>#<table>#rows#<part>  | row#<id>        |
 * | row by unique value       | table | <bot>#<table>#keys#<shard> | <column>#<hash> |
 * | log of changed rows       | table | <bot>#<table>#log#<part>   | <revision>      |
 */
import { shardOf } from '#shared/core/ids.ts';
import { ANY_BOT, type Key, type Partitions } from './table.ts';

export const tablePartitions = { tables: [`${ANY_BOT}#table_*`, `${ANY_BOT}#tables`] } as const satisfies Partitions;

export const tableSk = 'table';

export const tablePk = (botId: string, tableId: string) => `${botId}#${tableId}`;

export const tableKey = (botId: string, tableId: string): Key => ({ pk: tablePk(botId, tableId), sk: tableSk });

export const tableIdsKey = (botId: string, tableId: string): Key => ({ pk: tablePk(botId, tableId), sk: 'ids' });

export const tableCountsKey = (botId: string, tableId: string): Key => ({ pk: tablePk(botId, tableId), sk: 'counts' });

export const tableJobPrefix = 'job#';

export const tableJobKey = (botId: string, tableId: string, position: string): Key => ({
  pk: tablePk(botId, tableId),
  sk: `${tableJobPrefix}${position}`,
});

export const tableNamesPk = (botId: string) => `${botId}#tables`;

export const firstTableNameSk = '$';

export const tableDefinitionsKey = (botId: string): Key => ({ pk: tableNamesPk(botId), sk: '#definitions' });

export const tableNameKey = (botId: string, name: string): Key => ({ pk: tableNamesPk(botId), sk: name });

/** Rows are split into parts for parallel access. A small table has one. A part takes 1,000 writes per second. */
const ROW_PARTS = 16;

const FIRST_PART_IDS = 1024;

export const PART_RUN = 64;

export const rowPartOf = (id: number) => (id < FIRST_PART_IDS ? 0 : 1 + (Math.floor(id / PART_RUN) % (ROW_PARTS - 1)));

export const idsOfPart = (part: number) =>
  part === 0 ? { first: 1, last: FIRST_PART_IDS - 1 } : { first: FIRST_PART_IDS, last: Number.POSITIVE_INFINITY };

export const rowPartsUpTo = (lastId: number) =>
  Array.from({ length: lastId < FIRST_PART_IDS ? 1 : ROW_PARTS }, (_, part) => part);

export const rowsPk = (botId: string, tableId: string, part: number) => `${botId}#${tableId}#rows#${part}`;

export const rowPrefix = 'row#';

export const rowSk = (id: number) => `${rowPrefix}${String(id).padStart(10, '0')}`;

export const rowKey = (botId: string, tableId: string, id: number): Key => ({
  pk: rowsPk(botId, tableId, rowPartOf(id)),
  sk: rowSk(id),
});

export const idOfRowSk = (sk: string) => Number(sk.slice(rowPrefix.length));

export const splitRowsPk = (pk: string) => {
  const [botId, tableId, , part] = pk.split('#') as [string, string, string, string];
  return { botId, tableId, part: Number(part) };
};

const UNIQUE_KEY_SHARDS = 16;

const uniqueKeysPk = (botId: string, tableId: string, shard: number) => `${botId}#${tableId}#keys#${shard}`;

export const uniqueKeyKey = (botId: string, tableId: string, column: string, hash: string): Key => ({
  pk: uniqueKeysPk(botId, tableId, shardOf(hash, UNIQUE_KEY_SHARDS)),
  sk: `${column}#${hash}`,
});

const uniqueKeyPartitions = (botId: string, tableId: string) =>
  Array.from({ length: UNIQUE_KEY_SHARDS }, (_, shard) => uniqueKeysPk(botId, tableId, shard));

/**
 * The log is split, because every row change writes to it. Each part gets runs of revisions, so that one query reads
 * several.
 */
const LOG_PARTS = 4;
export const LOG_RUN = 64;

const logPk = (botId: string, tableId: string, part: number) => `${botId}#${tableId}#log#${part}`;

export const logKey = (botId: string, tableId: string, revision: number): Key => ({
  pk: logPk(botId, tableId, Math.floor(revision / LOG_RUN) % LOG_PARTS),
  sk: String(revision).padStart(15, '0'),
});

export const revisionOfLogSk = (sk: string) => Number(sk);

export const logPartitions = (botId: string, tableId: string) =>
  Array.from({ length: LOG_PARTS }, (_, part) => logPk(botId, tableId, part));

export const tablePartitionsOf = (botId: string, tableId: string): string[] => [
  tablePk(botId, tableId),
  ...Array.from({ length: ROW_PARTS }, (_, part) => rowsPk(botId, tableId, part)),
  ...uniqueKeyPartitions(botId, tableId),
];
