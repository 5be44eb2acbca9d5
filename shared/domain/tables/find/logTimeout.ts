import { log } from '#shared/core/log.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';

export const logTimeout = ({ id }: Table, plan: Record<string, unknown>) =>
  log.info('A row query timed out.', { tableId: id, plan });
