import { TABLE_BY_NAME } from '#shared/api/reference/costs.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { exportTable } from './exportTable.ts';

export default reference<typeof exportTable>({
  parameters: {
    format: 'The format of the export. Default: `csv`.',
    compress: 'Compresses the export with gzip. Default: true for JSON, false for CSV.',
    raw: 'Keeps texts that spreadsheets would run as formulas unchanged.',
  },
  example: { path: { table: 'peopleTable' }, query: { format: 'csv' } },
  budget: { calls: TABLE_BY_NAME + 1 },
});
