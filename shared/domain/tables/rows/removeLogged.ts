import { removeRows } from '#shared/storage/dynamodb/tables/rowWrites.ts';
import { type LoggedTable, logBatch } from './logged.ts';

export async function removeLogged(context: LoggedTable, ids: readonly number[]): Promise<number> {
  const removed = await logBatch(context, ids, () => removeRows(context.bot.id, context.table.id, ids));
  return removed.length;
}
