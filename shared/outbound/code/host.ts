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
  limits: { lines: number; characters: number; errorCharacters: number; codeFile: string; lateEvent: string },
) {
  // Deployed code may replace any intrinsic. Saved references protect against accidents, not against attacks, so
  // callers validate the output.
  const now = performance.now.bind(performance);
  const { setPrototypeOf } = Object;
  const bare = <T extends object>(own: T): T => setPrototypeOf(own, null);
  const startOf = Function.prototype.call.bind(String.prototype.slice) as (text: string, from: 0, to: number) => string;
  let printed: { level: PrintedLine['level']; text: string; at: number }[] = bare([]);
  let dropped = 0;
  /** Number of calls that await a response. */
  let pending = 0;
  // Output without a call is sent immediately if the runtime listens for it, and otherwise with the next response.
  const emitLate = process.emit.bind(process) as unknown as (
    name: string,
    line: { level: string; text: string },
  ) => boolean;
  const keep = (level: PrintedLine['level'], text: string) => {
    if (pending === 0 && emitLate(limits.lateEvent, bare({ level, text }))) return;
    printed[printed.length] = { level, text, at: now() };
  };
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
      keep(level, text);
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

  // Without these listeners, the runtime ends the process, and with it the call that follows.
  const { AsyncLocalStorage } = load('node:async_hooks') as typeof import('node:async_hooks');
  const calls = new AsyncLocalStorage<{ fail?: ((error: string) => void) | undefined }>();
  for (const [event, what] of [
    ['uncaughtException', 'The code threw an error that it did not catch'],
    ['unhandledRejection', 'A rejected promise was not handled'],
  ] as const) {
    process.removeAllListeners(event);
    process.on(event, (error: unknown) => {
      const text = `${what}: ${startOf(textOf(error), 0, limits.errorCharacters)}`;
      const fail = calls.getStore()?.fail;
      if (fail) fail(text);
      // biome-ignore lint/suspicious/noConsole: the captured console
      else console.error(`${text} (after the response)`);
    });
  }

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
  const respond = async (request: CodeRequest): Promise<CodeResponse> => {
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
  exports.handler = request => {
    if (loadError !== undefined) return Promise.resolve(answerWith({ error: loadError }));
    const call: { fail?: ((error: string) => void) | undefined } = {};
    pending++;
    return new Promise<CodeResponse>(resolve => {
      // Errors of its timers and promises fail the call that started them.
      call.fail = error => resolve(answerWith({ error }));
      calls.run(call, () => void respond(request).then(resolve));
    }).finally(() => {
      pending--;
      call.fail = undefined;
    });
  };
}

/**
 * Event of the process for output without a call. Lambda freezes a process that awaits a call, so it has no listener
 * there.
 */
export const LATE_OUTPUT = 'parley:lateOutput';

export const hostSource = `(${host})(exports, require, require('node:util').format, __dirname, ${JSON.stringify({
  lines: PRINTED_LINES,
  // One more than the caller keeps, because the host may cut within a surrogate pair.
  characters: LINE_CHARACTERS + 1,
  errorCharacters: 1_000,
  codeFile: CODE_FILE,
  lateEvent: LATE_OUTPUT,
})});\n`;
