import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';

/** Fields of every row, beside its columns. */
export const ROW = {
  id: 'Number of the row in its table, from 1. Never reused.',
  createdAt: 'Time at which the row was created.',
  updatedAt: 'Time of the last change of the row, including computed values.',
  computed: 'State of each computed column, by column.',
  'computed.*.status': 'State of the value: `pending`, `completed` or `failed`.',
  'computed.*.error': 'Reason of the failure. The value is then empty.',
  'computed.*.updatedBy': 'Origin of the value: its computation, or `user` if a caller wrote it.',
  'computed.*.updatedAt': 'Time at which the value was set.',
  stale: 'Columns that are not up to date: computed ones without a current value, searchable ones before indexing.',
  similarity: 'Closeness to `search`, from 0 to 1. Only in results of a search.',
};

export const rows = [
  shapeIn('tables', ['rows', 'row', 'inserted', 'updated'], ROW),
  anywhereIn('tables', {
    waitComputed: 'True waits until computed columns are filled. Allowed for a single row only. Default: false.',
    'output.rows': 'The rows after the call, with their columns as further fields.',
    'output.row': 'The row, with its columns as further fields.',
    'output.warnings': 'Problems that did not prevent the call. `rows[3]:` names the row in the request.',
    'output.errors': 'Rows that were not written, and why. `rows[3]:` names the row in the request.',
    filter: 'Condition on columns, for example `{ "age": { "$gte": 18 } }`. Default: all rows.',
  }),
  shapeIn('tables', ['createTableRows.body'], { rows: 'Rows to create: values by column. Omitted columns are empty.' }),
  shapeIn('tables', ['updateTableRows.body'], {
    rows: 'Changes of rows: `id`, and values by column. Omitted columns do not change. Null empties one.',
    'rows.id': 'Row to change.',
  }),
  shapeIn('tables', ['upsertTableRows.body'], {
    rows: 'Rows to update or create: values by column.',
    'rows.id': 'Row to update. Without it, the row is created or matched by `keyColumn`.',
    keyColumn: 'Column by whose values rows are matched. Default: `id`.',
  }),
  shapeIn('tables', ['upsertTableRows.output'], {
    inserted: 'Rows that were created.',
    updated: 'Rows that existed, after the change.',
  }),
  shapeIn('tables', ['deleteTableRows'], {
    'body.ids': 'Rows to delete. Send exactly one of `ids`, `filter` and `deleteAllRows`.',
    'body.filter':
      'Condition on columns of the rows to delete, for example `{ "age": { "$lt": 18 } }`. 400 if a part has no condition, because it would match every row.',
    'body.deleteAllRows': 'True deletes all rows and keeps the table.',
    'output.deletedRows': 'Number of rows that this call deleted, without those of the job.',
  }),
  shapeIn('tables', ['findTableRows'], {
    'body.limit': 'Maximum number of rows in the response. Default: 100.',
    'body.offset': 'Number of rows to skip. Default: 0.',
    'body.group': 'Columns to group by (`key`) and to aggregate: `{ "city": "key", "age": ["avg", "max"] }`.',
    'body.search': 'Text to find in searchable columns. The closest rows are first.',
    'body.select': 'Columns in the response. Dots address fields of objects. Default: all.',
    'body.orderBy': 'Column to sort by. Rows without a value are last. Default: `id`.',
    'body.orderDirection': 'Direction of the order. Default: `asc`.',
    'output.rows': 'Rows with their columns as further fields, or one object per group.',
    'output.hasMore': 'True if further rows match. Continue at `offset` + `limit`.',
    'output.offset': 'Number of skipped rows, as requested.',
    'output.limit': 'Requested limit, or the number of returned rows if more match.',
    'output.warnings': 'Reasons why the response is incomplete, and how to continue.',
  }),
];
