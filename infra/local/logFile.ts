/** Log of `npm start`: lines and console output go to a file; the terminal shows requests and background failures. */
import { openSync, writeSync } from 'node:fs';
import { format } from 'node:util';
import { redirectLog } from '#shared/core/logOutput.ts';
import type { CompletedRequest } from './services/apiGateway.ts';

export interface LogFile {
  path: string;
  append(text: string): void;
  logRequest(request: CompletedRequest): void;
  print(line: string): void;
  show(): void;
}

const LEVELS = ['debug', 'info', 'log', 'warn', 'error'] as const;

export function openLogFile(path: string): LogFile {
  const file = openSync(path, 'a', 0o600);
  const append = (text: string) => void writeSync(file, text.endsWith('\n') ? text : `${text}\n`);
  const held: string[] = [];
  let isShown = false;
  const show = (line: string) => void (isShown ? process.stdout.write(`${line}\n`) : held.push(line));

  const receive = (level: (typeof LEVELS)[number], text: string) => {
    append(text);
    const failure = failureLine(level, text);
    if (failure) show(failure);
  };
  redirectLog(line => receive('info', line));
  const print =
    (level: (typeof LEVELS)[number]) =>
    (...args: unknown[]) =>
      receive(level, format(...args));
  Object.assign(console, Object.fromEntries(LEVELS.map(level => [level, print(level)])));
  process.removeAllListeners('warning').on('warning', warning => append(String(warning.stack)));

  return {
    path,
    append,
    print: line => {
      append(line);
      show(line);
    },
    logRequest: request => {
      const { durationMs, ...fields } = request;
      const ms = Math.round(durationMs);
      append(JSON.stringify({ level: 'INFO', message: 'Request', timestamp: new Date().toISOString(), ...fields, ms }));
      if (isShown) show(requestLine(request));
    },
    show: () => {
      isShown = true;
      for (const line of held.splice(0)) show(line);
    },
  };
}

/** `POST   /chat/wh_1/messages  201  12 ms` */
export const requestLine = ({ method, path, status, durationMs, errorId }: CompletedRequest) =>
  `${method.padEnd(6)} ${path}  ${status}  ${Math.round(durationMs)} ms${errorId ? `  ${errorId}` : ''}`;

/** Returns a line for a warning or an error, unless it belongs to a request, whose line contains the error's id. */
export function failureLine(level: string, text: string): string | undefined {
  const entry = parseEntry(text);
  if (!entry) return level === 'error' ? `! ${text.split('\n')[0]}` : undefined;
  if (entry.level === 'INFO' || entry.errorId) return undefined;
  const source = entry.operation ?? entry.queue;
  const reason = entry.error?.message;
  return `! ${entry.message}${source ? ` (${source})` : ''}${reason ? ` ${reason}` : ''}`;
}

interface Entry {
  level: string;
  message: string;
  errorId?: string;
  operation?: string;
  queue?: string;
  error?: { message: string };
}

function parseEntry(text: string): Entry | undefined {
  try {
    const entry = JSON.parse(text);
    return typeof entry === 'object' && entry?.level ? entry : undefined;
  } catch {
    return undefined;
  }
}
