import { clock } from '#shared/core/clock.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { type RowView, viewRow } from '#shared/domain/tables/rows/rowView.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { findRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 500;
const RESERVE_MS = 3_000;

/** @throws ApiError InvalidPayload for several rows: docs/api/tables.md#tables */
export function requireSingleRow({
  rows,
  waitComputed,
}: {
  rows: readonly unknown[];
  waitComputed?: boolean | undefined;
}) {
  if (waitComputed && rows.length > 1) {
    throw invalidPayload('waitComputed requires a single row. Send one row, or read `computed` later.', 'waitComputed');
  }
}

/** Polls the rows until no cell is pending or the call is about to time out. */
export async function waitForComputed(
  call: { botId: string; deadlineMs: number; input: { waitComputed?: boolean | undefined } },
  table: Table,
  rows: readonly Row[],
): Promise<RowView[]> {
  let current: readonly Row[] = rows;
  let pauseMs = FIRST_PAUSE_MS;
  const isOpen = () => call.input.waitComputed && current.some(({ pending }) => pending.length > 0);
  while (isOpen() && clock.now() + pauseMs < call.deadlineMs - RESERVE_MS) {
    await clock.sleep(pauseMs);
    pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
    const ids = rows.map(({ id }) => id);
    current = (await findRows(call.botId, table.id, ids)).filter(row => row !== undefined);
  }
  return current.map(row => viewRow(table, row));
}
