/** The inputs and results of finding rows. */

import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import type { LogState } from '#shared/storage/dynamodb/tables/snapshots.ts';
import type { Table, TableWithIds } from '#shared/storage/dynamodb/tables/tables.ts';

export interface RowQuery {
  limit: number;
  offset: number;
  filter?: Record<string, unknown> | undefined;
  group?: Record<string, unknown> | undefined;
  search?: string | undefined;
  select?: string[] | undefined;
  orderBy?: string | undefined;
  orderDirection?: 'asc' | 'desc' | undefined;
}

/** The table whose rows are read. */
export interface RowSource {
  bot: { id: string; workspaceId: string };
  table: Table;
  /** The last row id the table has given out. */
  lastId: number;
  /** How far the table's log and snapshot are; left out by callers that read the rows themselves. */
  log?: LogState;
  /** When scans stop and return what they have. */
  deadlineMs: number;
}

/** Left for reading the rows of the page and answering. */
const RESERVE_MS = 4_000;

/** The source of a call: a table with its last id, read until shortly before the call's deadline. */
export const rowSource = (
  call: { bot: Bot; deadlineMs: number },
  { table, lastId, log }: Omit<TableWithIds, 'log'> & Partial<TableWithIds>,
): RowSource => ({ bot: call.bot, table, lastId, ...(log ? { log } : {}), deadlineMs: call.deadlineMs - RESERVE_MS });

export interface Page {
  rows: Row[];
  hasMore: boolean;
  warnings: string[];
  /** By row id. */
  similarities?: ReadonlyMap<number, number>;
}
