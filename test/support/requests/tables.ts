/**
 * A request for each operation of the tables group that succeeds for an authorised caller. An operation without one
 * does not compile.
 */
import { randomUUID } from 'node:crypto';
import type * as tableOperations from '#functions/tables/index.ts';
import { untilStatus } from '#test/support/files.ts';
import type { AdminClient } from '#test/support/platform.ts';

export type TablesOperation = keyof typeof tableOperations;

/** The path is relative to `/v1/tables`. */
export interface TablesRequest {
  path: string;
  body?: unknown;
}

/** The target of a request. */
interface RequestScope {
  client: AdminClient;
}

export const newTableName = () => `t${randomUUID().replaceAll('-', '').slice(0, 20)}Table`;
const SCHEMA = { name: 'Ada', age: 36 };

/** Creates a table with one row, whose id is 1. */
const table = async ({ client }: RequestScope) => {
  const { table } = await client.createTable({ name: newTableName(), schema: SCHEMA });
  await client.createTableRows({ table: table.id, rows: [{ name: 'Ada', age: 36 }] });
  return table.name;
};
const csvFile = async ({ client }: RequestScope): Promise<string> => {
  const { file } = await client.uploadFile({ key: `${randomUUID()}.csv`, content: 'name,age\nBob,7\n' });
  return (await untilStatus(client, file.id, 'upload_completed')).id;
};

export const TABLES_REQUESTS: Record<TablesOperation, (scope: RequestScope) => Promise<TablesRequest> | TablesRequest> =
  {
    listTables: () => ({ path: '' }),
    getTable: async scope => ({ path: `/${await table(scope)}` }),
    getOrCreateTable: () => ({ path: `/${newTableName()}`, body: { schema: SCHEMA } }),
    createTable: () => ({ path: '', body: { name: newTableName(), schema: SCHEMA } }),
    duplicateTable: async scope => ({ path: `/${await table(scope)}/duplicate`, body: { tableName: newTableName() } }),
    exportTable: async scope => ({ path: `/${await table(scope)}/export` }),
    getTableJobs: async scope => ({ path: `/${await table(scope)}/jobs` }),
    importTable: async scope => ({ path: `/${await table(scope)}/import`, body: { fileId: await csvFile(scope) } }),
    updateTable: async scope => ({
      path: `/${await table(scope)}`,
      body: { schema: { born: '2000-01-01T00:00:00Z' } },
    }),
    renameTableColumn: async scope => ({
      path: `/${await table(scope)}/column`,
      body: { name: 'age', newName: 'years' },
    }),
    deleteTable: async scope => ({ path: `/${await table(scope)}` }),
    getTableRow: async scope => ({ path: `/${await table(scope)}/row?id=1` }),
    findTableRows: async scope => ({ path: `/${await table(scope)}/rows/find`, body: { filter: { age: 36 } } }),
    createTableRows: async scope => ({ path: `/${await table(scope)}/rows`, body: { rows: [{ name: 'Bob' }] } }),
    deleteTableRows: async scope => ({ path: `/${await table(scope)}/rows/delete`, body: { ids: [1] } }),
    updateTableRows: async scope => ({ path: `/${await table(scope)}/rows`, body: { rows: [{ id: 1, age: 37 }] } }),
    upsertTableRows: async scope => ({
      path: `/${await table(scope)}/rows/upsert`,
      body: { keyColumn: 'name', rows: [{ name: 'Ada', age: 38 }] },
    }),
  };
