/** One JSON line per entry, for CloudWatch Logs Insights. Never log a header, a body or a key. */
import { clock } from './clock.ts';
import { endOf, startOf } from './excerpt.ts';
import { writeLine } from './logOutput.ts';

type Level = 'INFO' | 'WARN' | 'ERROR';
type Fields = Record<string, unknown>;

/** Masks tokens, because a message may quote input with a misplaced one. */
const SECRET = /\b(bp_(?:pat|ses|lnk|bak|iak|inv)_|whsec_)[A-Za-z0-9_+/=-]+/g;

/**
 * Limits of texts and causes keep a line below CloudWatch's 256 KB, even with six bytes for each character. The body of
 * a failed job alone may be that large.
 */
const MAX_START = 3_000;
const MAX_END = 1_000;
const MAX_CAUSES = 3;

/** Keeps the end as well: the frames of a stack follow its message. */
const clip = (text: string): string =>
  text.length <= MAX_START + MAX_END
    ? text
    : `${startOf(text, MAX_START)} [${text.length - MAX_START - MAX_END} characters] ${endOf(text, MAX_END)}`;

const shorten = (_: string, value: unknown) => (typeof value === 'string' ? clip(value.replace(SECRET, '$1…')) : value);

interface InvokeStore {
  hasContext(): boolean;
  getRequestId(): string;
}

/**
 * Lambda's id of the current invocation, even if an environment handles several concurrently
 * (`@aws/lambda-invoke-store`).
 */
function lambdaRequestId(): string | undefined {
  const { InvokeStore: store } = (globalThis as { awslambda?: { InvokeStore?: InvokeStore } }).awslambda ?? {};
  return store?.hasContext() ? store.getRequestId() : undefined;
}

function write(level: Level, message: string, fields: Fields): void {
  // With a valid level and timestamp, Lambda's JSON format leaves a line as it is.
  const entry = { level, message, timestamp: new Date(clock.now()).toISOString(), lambdaRequestId: lambdaRequestId() };
  writeLine(JSON.stringify({ ...entry, ...fields, level, message }, shorten));
}

export const errorFields = (error: unknown, causes = MAX_CAUSES): Fields =>
  error instanceof Error
    ? {
        name: error.name,
        message: error.message,
        stack: error.stack,
        ...(error.cause === undefined || causes === 0 ? {} : { cause: errorFields(error.cause, causes - 1) }),
      }
    : { message: String(error) };

export const log = {
  info: (message: string, fields: Fields = {}) => write('INFO', message, fields),
  warn: (message: string, fields: Fields = {}) => write('WARN', message, fields),
  error: (message: string, fields: Fields = {}) => write('ERROR', message, fields),
};
