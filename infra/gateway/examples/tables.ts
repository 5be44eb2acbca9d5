/** Examples of the group tables. The caller is a bot with a table of people. */
import type * as operations from '#functions/tables/index.ts';
import { EXAMPLE, type ExamplesOf } from './example.ts';

const TABLE = { table: 'peopleTable' };
const SCHEMA = { type: 'object', properties: { name: { type: 'string' }, age: { type: 'number' } } };

export const TABLES_EXAMPLES: ExamplesOf<typeof operations> = {
  listTables: {},
  createTable: { body: { name: 'ordersTable', schema: SCHEMA } },
  getTable: { path: TABLE },
  getOrCreateTable: { path: { table: 'guestsTable' }, body: { schema: SCHEMA } },
  updateTable: { path: TABLE, body: { schema: { type: 'object', properties: { born: { type: 'string' } } } } },
  renameTableColumn: { path: TABLE, body: { name: 'age', newName: 'years' } },
  duplicateTable: { path: { sourceTableId: EXAMPLE.table }, body: { tableName: 'copyTable' } },
  deleteTable: { path: TABLE },
  exportTable: { path: TABLE, query: { format: 'csv' } },
  importTable: { path: TABLE, body: { fileId: EXAMPLE.csvFile } },
  getTableJobs: { path: TABLE },
  createTableRows: { path: TABLE, body: { rows: [{ name: 'Bob', age: 7 }] } },
  getTableRow: { path: TABLE, query: { id: '1' } },
  findTableRows: { path: TABLE, body: { filter: { age: { $gte: 18 } }, orderBy: 'name', limit: 10 } },
  updateTableRows: { path: TABLE, body: { rows: [{ id: 1, age: 37 }] } },
  upsertTableRows: { path: TABLE, body: { keyColumn: 'name', rows: [{ name: 'Ada', age: 38 }] } },
  deleteTableRows: { path: TABLE, body: { ids: [1] } },
};
