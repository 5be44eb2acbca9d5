/**
 * The runtime of a function's process on this machine: loads `index.js` beside it, and answers each event that the parent sends. The
 * source of the function below is the program, which runs with Node's permission model and reads only its own directory.
 */

export interface EventMessage {
  id: number;
  event: unknown;
}

export type AnswerMessage =
  | { kind: 'ready' }
  | { kind: 'answer'; id: number; payload: string }
  /** As Lambda reports an error that the handler did not catch. */
  | { kind: 'error'; id: number | undefined; errorType: string; errorMessage: string };

function runtime(load: (file: string) => unknown) {
  const send = process.send!.bind(process) as (message: AnswerMessage) => void;
  let current: number | undefined;
  const fail = (errorType: string, error: unknown) => {
    const errorMessage = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    // The parent then ends the process.
    send({ kind: 'error', id: current, errorType, errorMessage });
  };
  process.on('uncaughtException', error => fail('Runtime.UncaughtException', error));
  process.on('unhandledRejection', error => fail('Runtime.UnhandledPromiseRejection', error));
  const { handler } = load('./index.js') as { handler: (event: unknown) => Promise<unknown> };
  process.on('message', async ({ id, event }: EventMessage) => {
    current = id;
    try {
      send({ kind: 'answer', id, payload: JSON.stringify(await handler(event)) });
    } catch (error) {
      fail('Error', error);
    }
  });
  // The code must not talk to the parent in the runtime's place, nor keep it from hearing of an exit.
  delete (process as Partial<NodeJS.Process>).send;
  send({ kind: 'ready' });
}

/** The program. */
export const runtimeSource = `(${runtime})(require);\n`;
