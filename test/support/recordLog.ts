import { onTestFinished } from 'vitest';
import { redirectLog } from '#shared/core/logOutput.ts';

export interface Entry extends Record<string, unknown> {
  level: 'INFO' | 'WARN' | 'ERROR';
  message: string;
}

/** Lines that the product logs. */
export class RecordedLog {
  readonly lines: string[] = [];
  readonly stop = redirectLog(line => void this.lines.push(line));

  get entries(): Entry[] {
    return this.lines.map(line => JSON.parse(line));
  }

  get errors(): Entry[] {
    return this.entries.filter(({ level }) => level === 'ERROR');
  }
}

/** Records the log until the test ends, or until `stop`. */
export function recordLog(): RecordedLog {
  const log = new RecordedLog();
  onTestFinished(log.stop);
  return log;
}
