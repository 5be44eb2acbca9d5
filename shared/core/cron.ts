import { Cron } from 'croner';

/** Five fields or a nickname. The parser would also accept seconds, years and single dates. */
const FORM = /^\s*(?:@[a-z]+|\S+(?:\s+\S+){4})\s*$/i;

export class CronError extends Error {
  override readonly name = 'CronError';
}

/** Returns the first tick after a time, in UTC (docs/api/botChat.md#recurring-events). @throws CronError */
export function nextTickMs(cron: string, afterMs: number): number {
  if (!FORM.test(cron)) {
    throw new CronError(
      'Must be five fields (minute, hour, day of month, month, day of week), as in "0 9 * * MON-FRI", or a nickname such as @daily',
    );
  }
  const next = parse(cron).nextRun(new Date(afterMs));
  if (!next) throw new CronError('Must match at least one date');
  return next.getTime();
}

function parse(cron: string): Cron {
  try {
    // A UTC offset is cheaper than a time zone, which formats a date per tick. Sloppy ranges are steps such as 0/5.
    return new Cron(cron, { utcOffset: 0, mode: '5-part', sloppyRanges: true, paused: true });
  } catch (error) {
    throw new CronError(`Must be a valid cron expression: ${(error as Error).message.replace(/^CronPattern: /, '')}`);
  }
}
