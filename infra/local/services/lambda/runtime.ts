/**
 * Runtime of a local function's process. Loads `index.js` from its directory and processes each event that the parent
 * sends. The source of the function below is the program. It runs with Node's permission model and reads only its own
 * directory. The permission model covers neither Unix sockets nor signals, so the program closes both before it loads
 * the code.
 *
 * Messages are lines of JSON on a socket. Node's IPC channel is not used because its parser throws in the parent
 * process when the child writes invalid JSON.
 */
import * as z from 'zod/mini';
import { LINE_LEVELS } from '#shared/outbound/code/answer.ts';
import { LATE_OUTPUT } from '#shared/outbound/code/host.ts';

export interface EventMessage {
  id: number;
  event: unknown;
}

/** Validates every message, because deployed code runs in the same process and can send its own. */
export const ResultMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('answer'), id: z.number(), payload: z.string() }),
  /** Output without a call, which Lambda holds back with the frozen process. */
  z.object({ kind: z.literal('late'), level: z.enum(LINE_LEVELS), text: z.string() }),
  /** An error that the handler did not catch, in Lambda's format. */
  z.object({ kind: z.literal('error'), errorType: z.string(), errorMessage: z.string() }),
]);
export type ResultMessage = z.infer<typeof ResultMessage>;

export const CHANNEL = 3;

function runtime(load: (file: string) => unknown, fd: number, lateEvent: string) {
  const { Socket } = load('node:net') as typeof import('node:net');
  const channel = new Socket({ fd, readable: true, writable: true });
  refusePorts(process.argv.splice(2));
  refuseUnixSockets();
  refuseOtherProcesses();
  const { stringify } = JSON;
  const exit = process.exit.bind(process);
  const send = (message: ResultMessage) => channel.write(`${stringify({ __proto__: null, ...message })}\n`);
  const fail = (errorType: string, error: unknown) => {
    const errorMessage = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    // The parent then ends the process.
    send({ kind: 'error', errorType, errorMessage });
  };
  process.on('uncaughtException', error => fail('Runtime.UncaughtException', error));
  process.on('unhandledRejection', error => fail('Runtime.UnhandledPromiseRejection', error));
  process.on(
    lateEvent as 'beforeExit',
    ((line: { level: never; text: string }) => send({ kind: 'late', level: line.level, text: line.text })) as never,
  );
  const { handler } = load('./index.js') as { handler: (event: unknown) => Promise<unknown> };
  const take = async ({ id, event }: EventMessage) => {
    try {
      const answer = await handler(event);
      // Uses the global JSON object, which code may have changed, as Lambda's runtime does.
      const payload = JSON.stringify(answer) ?? 'null';
      send({ kind: 'answer', id, payload: `${payload}` });
    } catch (error) {
      fail('Error', error);
    }
  };

  /** Blocks connections to the platform's services. Code that bypasses this has no secret that they accept. */
  function refusePorts(ports: readonly string[]) {
    const refused = new Set(ports);
    const { connect } = Socket.prototype;
    const { _normalizeArgs: normalized } = load('node:net') as unknown as {
      _normalizeArgs(args: unknown[]): [{ port?: number | string; path?: string }];
    };
    Socket.prototype.connect = function (this: typeof channel, ...args: unknown[]) {
      // Internal calls of node:net pass normalized arguments.
      const [options] = Array.isArray(args[0]) ? (args[0] as ReturnType<typeof normalized>) : normalized(args);
      if (refused.has(String(Number(options.port)))) {
        throw Object.assign(new Error('Deployed code cannot connect to platform services.'), { code: 'EACCES' });
      }
      return Reflect.apply(connect, this, args) as typeof channel;
    } as typeof connect;
  }

  /** Replaces the native methods, because code can reach them without `node:net`. The channel is such a socket too. */
  function refuseUnixSockets() {
    const { errno } = (load('node:os') as typeof import('node:os')).constants;
    const { constructor: Pipe } = (channel as unknown as { _handle: object })._handle;
    for (const method of ['connect', 'connect2', 'bind', 'bind2', 'listen']) {
      const value = () => -errno.EACCES;
      Object.defineProperty(Pipe.prototype, method, { value, writable: false, configurable: false });
    }
  }

  function refuseOtherProcesses() {
    const { pid } = process;
    const own =
      (call: (target: number, value: number) => unknown) =>
      (target: number, value: number): unknown => {
        if (target !== pid) {
          throw Object.assign(new Error('Deployed code cannot control other processes.'), { code: 'EPERM' });
        }
        return call(pid, value);
      };
    const internals = process as unknown as Record<string, unknown>;
    // `process.kill` calls the native `_kill`.
    internals._kill = own(internals._kill as Parameters<typeof own>[0]);
    internals._debugProcess = undefined;
    const os = load('node:os') as typeof import('node:os');
    const setPriority = own(os.setPriority as Parameters<typeof own>[0]);
    os.setPriority = ((...args: number[]) =>
      args.length === 1 ? setPriority(pid, args[0]!) : setPriority(args[0]! || pid, args[1]!)) as typeof os.setPriority;
    // Applies the changes to ES imports.
    (load('node:module') as typeof import('node:module')).syncBuiltinESMExports();
  }

  let received = '';
  channel.setEncoding('utf8').on('data', (text: string) => {
    received += text;
    for (let end = received.indexOf('\n'); end !== -1; end = received.indexOf('\n')) {
      const line = received.slice(0, end);
      received = received.slice(end + 1);
      void take(JSON.parse(line));
    }
  });
  channel.on('error', () => exit(1)).on('close', () => exit(0));
  send({ kind: 'ready' });
}

export const runtimeSource = `(${runtime})(require, ${CHANNEL}, ${JSON.stringify(LATE_OUTPUT)});\n`;
