/** Lambda's Runtime API for one invocation of a function in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { clock } from '#shared/core/clock.ts';
import { runtimeClient } from './runtimeClient.ts';

export const REQUEST_ID = '8f507cfc-9ead-4697-b4d7-9d2f5a6e7b01';

const ROUTE = '/2018-06-01/runtime/invocation/';

export interface Output {
  stdout: string;
  /** What the runtime's client sends for the console. */
  telemetry: string;
}

/**
 * Invokes the handler of a bundle once.
 * @param isWhole whether the process has printed everything; the response does not wait for its output
 */
export async function invokeOnce(
  folder: string,
  { event, env, isWhole }: { event: unknown; env: NodeJS.ProcessEnv; isWhole: (output: Output) => boolean },
): Promise<Output & { response: string }> {
  const client = await runtimeClient();
  const { server, response } = serveOnce(event);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const child = spawn(process.execPath, [client], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      ...VARIABLES,
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${(server.address() as AddressInfo).port}`,
      LAMBDA_TASK_ROOT: folder,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close');
  const output = { stdout: '', telemetry: '', stderr: '' };
  const { promise: printed, resolve } = Promise.withResolvers<void>();
  for (const [name, stream] of [
    ['stdout', child.stdout],
    ['telemetry', child.stdio[3] as Readable],
    ['stderr', child.stderr],
  ] as const) {
    stream!.setEncoding('utf8').on('data', (chunk: string) => {
      output[name] += chunk;
      if (isWhole(output)) resolve();
    });
  }
  try {
    const failed = exited.then(() => {
      throw new Error(`The function exited: ${output.stderr}${output.telemetry}${output.stdout}`);
    });
    const [body] = await Promise.race([Promise.all([response, printed]), failed]);
    return { ...output, response: body };
  } finally {
    child.kill();
    await exited;
    server.closeAllConnections();
    server.close();
  }
}

const VARIABLES = {
  _HANDLER: 'index.handler',
  _LAMBDA_TELEMETRY_LOG_FD: '3',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: 'function',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
  AWS_LAMBDA_LOG_GROUP_NAME: 'group',
  AWS_LAMBDA_LOG_STREAM_NAME: 'stream',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_REGION: 'eu-central-1',
};

/** Gives the event to the first request for one. Later requests wait, as they do in Lambda. */
function serveOnce(event: unknown): { server: Server; response: Promise<string> } {
  const { promise: response, resolve } = Promise.withResolvers<string>();
  let isGiven = false;
  const answer = async (request: IncomingMessage, out: ServerResponse) => {
    if (request.url === `${ROUTE}next`) {
      if (isGiven) return;
      isGiven = true;
      out.writeHead(200, {
        'lambda-runtime-aws-request-id': REQUEST_ID,
        'lambda-runtime-deadline-ms': String(clock.now() + 60_000),
        'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:eu-central-1:123456789012:function:function',
      });
      out.end(JSON.stringify(event));
      return;
    }
    const body = await text(request);
    out.writeHead(202).end();
    if (request.url?.startsWith(ROUTE + REQUEST_ID)) resolve(body);
  };
  return { server: createServer((request, out) => void answer(request, out)), response };
}
