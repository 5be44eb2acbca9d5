/**
 * The CommonJS module that runs deployed code. The function is stringified and must not refer to anything outside
 * itself.
 */

import { type CodeRequest, type CodeResponse, LINE_CHARACTERS, PRINTED_LINES, type PrintedLine } from './answer.ts';

export const HOST_FILE = 'index.js';
export const CODE_FILE = 'code.cjs';

function host(
  exports: { handler?: (request: CodeRequest) => Promise<CodeResponse> },
  load: (file: string) => unknown,
  format: (...args: unknown[]) => string,
  directory: string,
  limits: { lines: number; characters: number; codeFile: string },
) {
  // Code may replace any intrinsic. Originals protect against honest mistakes, not hostile code: callers validate.
  const now = performance.now.bind(performance);
  const { setPrototypeOf } = Object;
  const bare = <T extends object>(own: T): T => setPrototypeOf(own, null);
  const startOf = Function.prototype.call.bind(String.prototype.slice) as (text: string, from: 0, to: number) => string;
  let printed: { level: PrintedLine['level']; text: string; at: number }[] = bare([]);
  let dropped = 0;
  const levels = { debug: 'debug', trace: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const;
  for (const method of Object.keys(levels) as (keyof typeof levels)[]) {
    const level = levels[method];
    // biome-ignore lint/suspicious/noConsole: captures the output of the code.
    const print = console[method].bind(console);
    console[method] = (...args: unknown[]) => {
      if (printed.length >= limits.lines) {
        dropped++;
        return;
      }
      const text = startOf(format(...args), 0, limits.characters);
      printed[printed.length] = { level, text, at: now() };
      // Lambda returns the end of the output when the process crashes.
      print(text);
    };
  }
  const textOf = (error: unknown) => {
    const text = (error instanceof Error ? (error.stack ?? error.message) : format(error))
      .split('\n')
      .filter(line => !/^\s+at /.test(line) || line.includes(limits.codeFile))
      .join('\n')
      .replaceAll(`${directory}/`, '');
    return text.slice(0, limits.characters);
  };

  let code: { handler?: unknown; default?: { handler?: unknown } } | undefined;
  let loadError: string | undefined;
  try {
    code = load(`./${limits.codeFile}`) as typeof code;
  } catch (error) {
    loadError = `The code could not be loaded: ${textOf(error)}`;
  }
  const run = code?.handler ?? code?.default?.handler;
  if (code && typeof run !== 'function') loadError = 'The code exports no function "handler".';

  const answerWith = (outcome: Pick<CodeResponse, 'response' | 'error'>): CodeResponse => {
    const endedAt = now();
    const lines: CodeResponse['printed'][number][] = bare([]);
    for (let i = 0; i < printed.length; i++) {
      const { level, text, at } = printed[i]!;
      lines[i] = bare({ level, text, agoMs: endedAt - at });
    }
    const answer = bare({ ...outcome, printed: lines, dropped });
    printed = bare([]);
    dropped = 0;
    return answer;
  };
  exports.handler = async request => {
    if (loadError !== undefined) return answerWith({ error: loadError });
    try {
      const answer = await (run as (request: CodeRequest) => Promise<CodeResponse['response'] | undefined>)(request);
      const { status, headers, body } = answer ?? {};
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      return answerWith({
        response: bare({
          ...(status === undefined ? {} : { status }),
          ...(headers ? { headers } : {}),
          ...(text === undefined ? {} : { body: text }),
        }),
      });
    } catch (error) {
      // Like the SDK's own server, respond with the status of errors that have one.
      const { status, message } = error as { status?: unknown; message?: unknown };
      if (typeof status === 'number')
        return answerWith({ response: bare({ status, body: JSON.stringify({ message }) }) });
      return answerWith({ error: `The handler threw an error: ${textOf(error)}` });
    }
  };
}

export const hostSource = `(${host})(exports, require, require('node:util').format, __dirname, ${JSON.stringify({
  lines: PRINTED_LINES,
  // One more than the caller keeps, because the host may cut within a surrogate pair.
  characters: LINE_CHARACTERS + 1,
  codeFile: CODE_FILE,
})});\n`;
