/**
 * The CommonJS module that runs deployed code. The function is stringified and must not refer to anything outside
 * itself.
 */

import { FAILURE_CHARACTERS, FAILURE_MARK } from '#shared/outbound/lambda/failureLine.ts';
import { type CodeRequest, type CodeResponse, LINE_CHARACTERS, PRINTED_LINES, type PrintedLine } from './answer.ts';

export const HOST_FILE = 'index.js';
export const CODE_FILE = 'code.cjs';

function host(
  exports: { handler?: (request: CodeRequest) => Promise<CodeResponse> },
  load: (file: string) => unknown,
  format: (...args: unknown[]) => string,
  directory: string,
  limits: {
    lines: number;
    characters: number;
    messageCharacters: number;
    hostFile: string;
    codeFile: string;
    lateEvent: string;
    failureMark: string;
    failureCharacters: number;
  },
) {
  // Deployed code may replace any intrinsic. Saved references protect against accidents, not against attacks, so
  // callers validate the output.
  const now = performance.now.bind(performance);
  const { setPrototypeOf } = Object;
  // Traces of the SDK's calls have many frames of its HTTP client above those of the bot.
  Error.stackTraceLimit = 50;
  // A source map of the deployment names the lines of the source. Without one, this has no effect.
  process.setSourceMapsEnabled(true);
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
  const FRAME = /^ {4}at .*(?::\d+:\d+|<anonymous>)\)?$/m;
  /** Removes the frames of Node.js, of this host and of its callers from a trace. */
  const withOwnFrames = (text: string) => {
    if (!FRAME.test(text)) return text;
    let isBelowHost = false;
    return text
      .split('\n')
      .filter(line => {
        if (!FRAME.test(line)) {
          isBelowHost = false;
          return true;
        }
        isBelowHost ||= line.includes(`${directory}/${limits.hostFile}:`);
        return !isBelowHost && line.includes(`${directory}/`);
      })
      .join('\n')
      .replaceAll(`${directory}/`, '');
  };
  const output = (level: PrintedLine['level'], text: string, print: (text: string) => void) => {
    if (printed.length >= limits.lines) {
      dropped++;
      return;
    }
    const shortened = startOf(text, 0, limits.characters);
    keep(level, shortened);
    // Lambda returns the end of the output when the process crashes.
    print(shortened);
  };
  // biome-ignore lint/suspicious/noConsole: prints failures after a response.
  const printError = console.error.bind(console);
  const levels = { debug: 'debug', trace: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const;
  for (const method of Object.keys(levels) as (keyof typeof levels)[]) {
    const level = levels[method];
    // biome-ignore lint/suspicious/noConsole: captures the output of the code.
    const print = console[method].bind(console);
    console[method] = (...args: unknown[]) => output(level, withOwnFrames(format(...args)), print);
  }
  /** Shortens a long message rather than the trace, which follows it. */
  const textOf = (error: unknown) => {
    const text = withOwnFrames(error instanceof Error ? (error.stack ?? error.message) : format(error));
    const at = text.search(FRAME);
    if (at <= limits.messageCharacters) return startOf(text, 0, limits.characters);
    return startOf(
      `${startOf(text, 0, limits.messageCharacters).toWellFormed()} …\n${text.slice(at)}`,
      0,
      limits.characters,
    );
  };

  // Without these listeners, an error after a response would end the process, and with it the call that follows. An
  // error during a call ends the process: a handler that continued would repeat its effects beside the next attempt.
  const { AsyncLocalStorage } = load('node:async_hooks') as typeof import('node:async_hooks');
  const calls = new AsyncLocalStorage<{ isPending: boolean }>();
  const writeOut = process.stdout.write.bind(process.stdout);
  const exit = process.exit.bind(process);
  for (const [event, what] of [
    ['uncaughtException', 'The code threw an error that it did not catch'],
    ['unhandledRejection', 'A rejected promise was not handled'],
  ] as const) {
    process.removeAllListeners(event);
    process.on(event, (error: unknown) => {
      if (!calls.getStore()?.isPending) {
        output('error', `${what}, after the response: ${textOf(error)}`, printError);
        return;
      }
      const reason = startOf(`${what}: ${textOf(error)}`, 0, limits.failureCharacters);
      writeOut(`\n${limits.failureMark}${JSON.stringify(reason)}\n`);
      exit(1);
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

  type Outcome = Pick<CodeResponse, 'response' | 'error'>;
  const answerWith = (outcome: Outcome): CodeResponse => {
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
  const outcomeOf = async (request: CodeRequest): Promise<Outcome> => {
    try {
      const answer = await (run as (request: CodeRequest) => Promise<CodeResponse['response'] | undefined>)(request);
      const { status, headers, body } = answer ?? {};
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      return {
        response: bare({
          ...(status === undefined ? {} : { status }),
          ...(headers ? { headers } : {}),
          ...(text === undefined ? {} : { body: text }),
        }),
      };
    } catch (error) {
      // Like the SDK's own server, respond with the status of errors that have one.
      const { status, message } = error as { status?: unknown; message?: unknown };
      if (typeof status === 'number') return { response: bare({ status, body: JSON.stringify({ message }) }) };
      return { error: `The handler threw an error: ${textOf(error)}` };
    }
  };
  exports.handler = request => {
    if (loadError !== undefined) return Promise.resolve(answerWith({ error: loadError }));
    const call = { isPending: true };
    pending++;
    return calls
      .run(call, outcomeOf, request)
      .then(answerWith)
      .finally(() => {
        pending--;
        call.isPending = false;
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
  messageCharacters: 1_000,
  hostFile: HOST_FILE,
  codeFile: CODE_FILE,
  lateEvent: LATE_OUTPUT,
  failureMark: FAILURE_MARK,
  failureCharacters: FAILURE_CHARACTERS,
})});\n`;
