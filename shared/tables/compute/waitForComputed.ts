/** Waiting for what is computed of a row, whoever computes it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { findRows } from '#shared/dynamodb/tables/rowReads.ts';
import { type Row } from '#shared/dynamodb/tables/row.ts';
import type { Table } from '#shared/dynamodb/tables/tables.ts';
import { invalidPayload } from '#shared/errors.ts';
import { type RowView, viewRow } from '#shared/tables/view.ts';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;
/** Left for answering. */
const RESERVE_MS = 3_000;

/** @throws ApiError InvalidPayload: the contract lets a caller wait for one row */
export function requireSingleRow({
  rows,
  waitComputed,
}: {
  rows: readonly unknown[];
  waitComputed?: boolean | undefined;
}) {
  if (waitComputed && rows.length > 1) {
    throw invalidPayload('Only a single row is waited for: give one row, or look at `computed` later.', 'waitComputed');
  }
}

/** Rows as they are when nothing of them is pending any more, or when the call's time is up. */
export async function waitForComputed(
  call: { botId: string; deadlineMs: number; input: { waitComputed?: boolean | undefined } },
  table: Table,
  rows: readonly Row[],
): Promise<RowView[]> {
  let current: readonly Row[] = rows;
  let pauseMs = FIRST_PAUSE_MS;
  const isOpen = () => call.input.waitComputed && current.some(({ pending }) => pending.length > 0);
  while (isOpen() && Date.now() + pauseMs < call.deadlineMs - RESERVE_MS) {
    await sleep(pauseMs);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    const ids = rows.map(({ id }) => id);
    current = (await findRows(call.botId, table.id, ids)).filter(row => row !== undefined);
  }
  return current.map(row => viewRow(table, row));
}
