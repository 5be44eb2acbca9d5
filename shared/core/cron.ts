/** Cron expressions, read in UTC (docs/compatibility.md#recurring-events). */
import { Cron } from 'croner';

/** Five fields, or a nickname: the parser itself also takes seconds, years and single dates. */
const FORM = /^\s*(?:@[a-z]+|\S+(?:\s+\S+){4})\s*$/i;

/** The message says what is wrong with the expression. */
export class CronError extends Error {
  override readonly name = 'CronError';
}

/**
 * The first tick of a cron expression after a time; ticks are whole minutes.
 * @throws CronError for an expression that is invalid or never comes
 */
export function nextTickMs(cron: string, afterMs: number): number {
  if (!FORM.test(cron)) {
    throw new CronError(
      'Must be five fields (minute, hour, day of month, month, day of week), as in "0 9 * * MON-FRI", or a nickname such as @daily',
    );
  }
  const next = parse(cron).nextRun(new Date(afterMs));
  if (!next) throw new CronError('Never comes: no date matches it');
  return next.getTime();
}

function parse(cron: string): Cron {
  try {
    // An offset instead of a time zone: zones cost every tick a formatted date. Sloppy ranges are steps such as 0/5.
    return new Cron(cron, { utcOffset: 0, mode: '5-part', sloppyRanges: true, paused: true });
  } catch (error) {
    throw new CronError(`Is no valid cron expression: ${(error as Error).message.replace(/^CronPattern: /, '')}`);
  }
}
