/** All operations of the tables interface. */
export { createTable } from './createTable.ts';
export { createTableRows } from './createTableRows.ts';
export { deleteTable } from './deleteTable.ts';
export { deleteTableRows } from './deleteTableRows.ts';
export { duplicateTable } from './duplicateTable.ts';
export { exportTable } from './exportTable.ts';
export { findTableRows } from './findTableRows.ts';
export { getOrCreateTable } from './getOrCreateTable.ts';
export { getTable } from './getTable.ts';
export { getTableJobs } from './getTableJobs.ts';
export { getTableRow } from './getTableRow.ts';
export { importTable } from './importTable.ts';
export { listTables } from './listTables.ts';
export { renameTableColumn } from './renameTableColumn.ts';
export { updateTable } from './updateTable.ts';
export { updateTableRows } from './updateTableRows.ts';
export { upsertTableRows } from './upsertTableRows.ts';
