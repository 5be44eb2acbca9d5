/** One JSON line per entry, as CloudWatch Logs Insights reads them. Never a header, a body or a key. */
type Fields = Record<string, unknown>;

/** A caller may have put a token where none belongs, and then a message quotes it. */
const SECRET = /\b(bp_(?:pat|bak|iak|inv)_|whsec_)[A-Za-z0-9_+/=-]+/g;

const line = (level: 'INFO' | 'WARN' | 'ERROR', message: string, fields: Fields) =>
  JSON.stringify({ level, message, time: new Date().toISOString(), ...fields }).replace(SECRET, '$1…');

/** An error as plain fields, causes included. */
export const errorFields = (error: unknown): Fields =>
  error instanceof Error
    ? {
        name: error.name,
        message: error.message,
        stack: error.stack,
        ...(error.cause === undefined ? {} : { cause: errorFields(error.cause) }),
      }
    : { message: String(error) };

/* biome-ignore-start lint/suspicious/noConsole: the console is where Lambda's log comes from */
export const log = {
  info: (message: string, fields: Fields = {}) => console.info(line('INFO', message, fields)),
  warn: (message: string, fields: Fields = {}) => console.warn(line('WARN', message, fields)),
  error: (message: string, fields: Fields = {}) => console.error(line('ERROR', message, fields)),
};
/* biome-ignore-end lint/suspicious/noConsole: see above */
