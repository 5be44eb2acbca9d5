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

export interface RowSource {
  bot: { id: string; workspaceId: string };
  table: Table;
  lastId: number;
  log?: LogState;
  deadlineMs: number;
}

const RESERVE_MS = 4_000;

export const rowSource = (
  call: { bot: Bot; deadlineMs: number },
  { table, lastId, log }: Omit<TableWithIds, 'log'> & Partial<TableWithIds>,
): RowSource => ({ bot: call.bot, table, lastId, ...(log ? { log } : {}), deadlineMs: call.deadlineMs - RESERVE_MS });

export interface Page {
  rows: Row[];
  hasMore: boolean;
  warnings: string[];
  similarities?: ReadonlyMap<number, number>;
}
