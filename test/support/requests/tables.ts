/**
 * For every tables operation, a request that succeeds with the right caller. An operation without one does not compile.
 */
import { randomUUID } from 'node:crypto';
import type * as tableOperations from '#functions/tables/index.ts';
import { untilStatus } from '#test/support/files.ts';
import type { AdminClient } from '#test/support/platform.ts';

export type TablesOperation = keyof typeof tableOperations;

/** Behind `/v1/tables`. */
export interface TablesRequest {
  path: string;
  body?: unknown;
}

/** Creates the records that the request needs. */
interface Scene {
  client: AdminClient;
}

export const newTableName = () => `t${randomUUID().replaceAll('-', '').slice(0, 20)}Table`;
const SCHEMA = { name: 'Ada', age: 36 };

/** A table with one row, whose id is 1. */
const table = async ({ client }: Scene) => {
  const { table } = await client.createTable({ name: newTableName(), schema: SCHEMA });
  await client.createTableRows({ table: table.id, rows: [{ name: 'Ada', age: 36 }] });
  return table.name;
};
const csvFile = async ({ client }: Scene): Promise<string> => {
  const { file } = await client.uploadFile({ key: `${randomUUID()}.csv`, content: 'name,age\nBob,7\n' });
  return (await untilStatus(client, file.id, 'upload_completed')).id;
};

export const TABLES_REQUESTS: Record<TablesOperation, (scene: Scene) => Promise<TablesRequest> | TablesRequest> = {
  listTables: () => ({ path: '' }),
  getTable: async scene => ({ path: `/${await table(scene)}` }),
  getOrCreateTable: () => ({ path: `/${newTableName()}`, body: { schema: SCHEMA } }),
  createTable: () => ({ path: '', body: { name: newTableName(), schema: SCHEMA } }),
  duplicateTable: async scene => ({ path: `/${await table(scene)}/duplicate`, body: { tableName: newTableName() } }),
  exportTable: async scene => ({ path: `/${await table(scene)}/export` }),
  getTableJobs: async scene => ({ path: `/${await table(scene)}/jobs` }),
  importTable: async scene => ({ path: `/${await table(scene)}/import`, body: { fileId: await csvFile(scene) } }),
  updateTable: async scene => ({ path: `/${await table(scene)}`, body: { schema: { born: '2000-01-01T00:00:00Z' } } }),
  renameTableColumn: async scene => ({
    path: `/${await table(scene)}/column`,
    body: { name: 'age', newName: 'years' },
  }),
  deleteTable: async scene => ({ path: `/${await table(scene)}` }),
  getTableRow: async scene => ({ path: `/${await table(scene)}/row?id=1` }),
  findTableRows: async scene => ({ path: `/${await table(scene)}/rows/find`, body: { filter: { age: 36 } } }),
  createTableRows: async scene => ({ path: `/${await table(scene)}/rows`, body: { rows: [{ name: 'Bob' }] } }),
  deleteTableRows: async scene => ({ path: `/${await table(scene)}/rows/delete`, body: { ids: [1] } }),
  updateTableRows: async scene => ({ path: `/${await table(scene)}/rows`, body: { rows: [{ id: 1, age: 37 }] } }),
  upsertTableRows: async scene => ({
    path: `/${await table(scene)}/rows/upsert`,
    body: { keyColumn: 'name', rows: [{ name: 'Ada', age: 38 }] },
  }),
};
