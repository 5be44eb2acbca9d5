import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';

const SCHEMA = 'An example row, a JSON Schema, or a definition per column.';
const FACTOR = 'Maximum size of a row in units of 4 KB. A row counts as this many rows. Can only grow.';
const KEY = 'Column whose values are unique.';
const FROZEN = 'True makes the schema and the name read-only.';
const COMPUTE = 'False stops filling computed columns.';

export const tables = [
  shapeIn('tables', ['table', 'tables'], {
    id: 'Id of the table, `table_` and 22 characters. Paths accept the id and the name.',
    name: 'Name of the table, unique for the bot.',
    factor: FACTOR,
    frozen: FROZEN,
    keyColumn: `${KEY} Null without one.`,
    schema: 'JSON Schema of the rows.',
    'schema.type': 'Always `object`.',
    'schema.properties': 'Columns by name, each a JSON Schema. `x-zui` contains settings such as `searchable`.',
    tags: 'Tags by name.',
    isComputeEnabled: COMPUTE,
    createdAt: 'Time at which the table was created.',
    updatedAt: 'Time of the last change of the table. Changes of rows do not count.',
  }),
  shapeIn('tables', ['createTable.body', 'getOrCreateTable.body'], {
    factor: `${FACTOR} Default: 1.`,
    frozen: `${FROZEN} Default: false.`,
    keyColumn: `${KEY} Default: none.`,
    schema: SCHEMA,
    tags: 'Tags by name.',
    isComputeEnabled: `${COMPUTE} Default: true.`,
  }),
  shapeIn('tables', ['createTable.body'], {
    name: 'Unique name of letters, digits and `_`, which ends with `Table`, for example `peopleTable`.',
  }),
  shapeIn('tables', ['updateTable.body'], {
    name: 'New name, which ends with `Table`. Omitted: unchanged.',
    frozen: `${FROZEN} False allows changes again.`,
    keyColumn: `${KEY} Null removes the key. Existing values must be unique.`,
    schema: `Columns to merge: ${SCHEMA[0]!.toLowerCase()}${SCHEMA.slice(1, -1)}. Null removes a column.`,
    tags: 'Tags to set, by name. Null removes a tag. Others do not change.',
    isComputeEnabled: `${COMPUTE} True refreshes stale values.`,
    factor: FACTOR,
  }),
  shapeIn('tables', ['duplicateTable.body'], {
    tableName: 'Name of the copy. Default: the name of the original with `Copy`, for example `peopleCopyTable`.',
    schemaOnly: 'True copies the columns without the rows. Default: false.',
    factor: 'Size factor of the copy, at least that of the original. Default: that of the original.',
  }),
  shapeIn('tables', ['renameTableColumn.body'], {
    name: 'Current name of the column.',
    newName: 'New name of the column, which keeps its values.',
  }),
  shapeIn('tables', ['renameTableColumn.output'], {
    warnings: 'Computed columns whose code or prompt contains the former name. Absent if there are none.',
  }),
  anywhereIn('tables', {
    'output.table': 'The table after the call.',
    'output.tables': 'All tables of the bot that match the filters.',
    'output.created': 'True if this call created the table, false if it existed.',
  }),
  shapeIn('tables', ['updateTable.output'], {
    staleColumns: 'Columns whose type changed. Their values were removed.',
  }),
  shapeIn('tables', ['getTable.output', 'getOrCreateTable.output'], {
    rows: 'Number of rows.',
    stale: 'Number of rows with computed values that are not up to date.',
    indexing: 'Number of rows that search does not find yet.',
  }),
];

export const jobs = [
  shapeIn('tables', ['job', 'jobs'], {
    id: 'Id of the job, to find it in `getTableJobs`.',
    botId: 'Bot to which the table belongs.',
    tableId: 'Table on which the job works.',
    type: 'Work of the job.',
    status: 'State: `pending`, `in_progress`, `finalizing`, `completed` or `failed`.',
    progress: 'Completed share in percent. 100 when the job has completed.',
    inputFileId: 'File that an import reads. Null for other jobs.',
    outputFileId: 'File that an export wrote, or that lists the invalid rows of an import. Null without one.',
    createdAt: 'Time at which the job was requested.',
    updatedAt: 'Time of the latest progress.',
  }),
  anywhereIn('tables', {
    'output.job': 'Job that continues after the response. Absent if the call completed the work.',
    'output.jobs': 'Latest jobs of the table, newest first, for 30 days after their end.',
  }),
  shapeIn('tables', ['importTable.body'], {
    fileId: 'Id or key of a file of the bot with rows: CSV or JSON, plain or compressed with gzip.',
  }),
  shapeIn('tables', ['duplicateTable.output'], {
    rows: 'Number of rows that the job copies. 0 if only the schema is copied.',
  }),
];
