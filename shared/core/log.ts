/** One JSON line per entry, for CloudWatch Logs Insights. Never log a header, a body or a key. */
import { clock } from './clock.ts';

type Fields = Record<string, unknown>;

/** Masks tokens, because a message may quote input with a misplaced one. */
const SECRET = /\b(bp_(?:pat|bak|iak|inv)_|whsec_)[A-Za-z0-9_+/=-]+/g;

const line = (level: 'INFO' | 'WARN' | 'ERROR', message: string, fields: Fields) =>
  JSON.stringify({ level, message, time: new Date(clock.now()).toISOString(), ...fields }).replace(SECRET, '$1…');

export const errorFields = (error: unknown): Fields =>
  error instanceof Error
    ? {
        name: error.name,
        message: error.message,
        stack: error.stack,
        ...(error.cause === undefined ? {} : { cause: errorFields(error.cause) }),
      }
    : { message: String(error) };

/* biome-ignore-start lint/suspicious/noConsole: Lambda's log is the console */
export const log = {
  info: (message: string, fields: Fields = {}) => console.info(line('INFO', message, fields)),
  warn: (message: string, fields: Fields = {}) => console.warn(line('WARN', message, fields)),
  error: (message: string, fields: Fields = {}) => console.error(line('ERROR', message, fields)),
};
/* biome-ignore-end lint/suspicious/noConsole: see above */
