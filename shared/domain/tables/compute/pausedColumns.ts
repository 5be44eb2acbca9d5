/** Pauses a column whose code keeps timing out, because each cell would occupy the sandbox until the timeout. */
import { clock } from '#shared/core/clock.ts';
import { hashText } from '#shared/core/ids.ts';
import type { SandboxResult } from './sandboxTask.ts';

/** Consecutive timeouts, so that code which is slow only for some rows is not paused. */
const TIMEOUTS = 10;
const PAUSE_MS = 60_000;
const REMEMBERED_COLUMNS = 1_000;

const PAUSED: SandboxResult = {
  error:
    `The column is paused for a minute, because its code timed out for ${TIMEOUTS} rows in a row. ` +
    'Then change the code, or a value that the cell is computed from, to compute it again.',
};

/** Only in this process. Other processes pause the column after the same number of timeouts. */
const columns = new Map<string, { timeouts: number; pausedUntilMs: number }>();

/** @param column ids of the bot, table and column, and the code: changed code resets the count */
export async function unlessPaused(
  column: readonly string[],
  run: () => Promise<SandboxResult>,
): Promise<SandboxResult> {
  const name = hashText(...column);
  if ((columns.get(name)?.pausedUntilMs ?? 0) > clock.now()) return PAUSED;

  const result = await run();
  if (!('isTimeout' in result)) {
    columns.delete(name);
    return result;
  }
  const timeouts = (columns.get(name)?.timeouts ?? 0) + 1;
  if (!columns.has(name) && columns.size >= REMEMBERED_COLUMNS) columns.clear();
  columns.set(name, { timeouts, pausedUntilMs: timeouts >= TIMEOUTS ? clock.now() + PAUSE_MS : 0 });
  return result;
}
