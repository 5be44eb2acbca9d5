import type { Selection } from '#shared/domain/tables/query/select.ts';
import type { Page, RowQuery, RowSource } from '#shared/domain/tables/reading/source.ts';
import { type RowView, viewRow } from '#shared/domain/tables/rows/rowView.ts';
import type { Values } from '#shared/domain/tables/schema/rowValues.ts';
import { planQuery } from './plan.ts';
import { readGroups } from './readGroups.ts';
import { readPage } from './readPage.ts';
import { searchRows } from './searchRows.ts';

export interface QueryResult {
  rows: (RowView | Values)[];
  hasMore: boolean;
  warnings: string[];
}

export async function queryRows(source: RowSource, query: RowQuery): Promise<QueryResult> {
  const plan = planQuery(source, query);
  if (plan.result === 'groups') return readGroups(source, plan);
  const page = plan.search ? await searchRows(source, plan, plan.search) : await readPage(source, plan);
  return viewPage(source, page, plan.selection?.pick, plan.limit);
}

/** The JSON of the rows. Lambda limits a response to 6 MB. */
const ANSWER_BYTES = 4 * 1024 * 1024;

function viewPage({ table }: RowSource, page: Page, pick: Selection['pick'] | undefined, limit: number): QueryResult {
  const rows: RowView[] = [];
  let bytes = 0;
  for (const row of page.rows) {
    const view = viewRow(table, row, { pick, similarity: page.similarities?.get(row.id) });
    bytes += Buffer.byteLength(JSON.stringify(view));
    if (bytes > ANSWER_BYTES && rows.length > 0) {
      const text = `Only ${rows.length} of ${Math.min(limit, page.rows.length)} rows fit into a response of ${ANSWER_BYTES} bytes. Continue at the returned offset + limit, or select fewer columns.`;
      return { rows, hasMore: true, warnings: [...page.warnings, text] };
    }
    rows.push(view);
  }
  return { rows, hasMore: page.hasMore, warnings: page.warnings };
}
