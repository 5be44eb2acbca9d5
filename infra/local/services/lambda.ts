/** Local AWS Lambda for deployed code. */

import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import type { Service } from '#infra/local/runtime/service.ts';
import { clock } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { type Configuration, openFunctionStore, sealVariables } from './lambda/functionStore.ts';
import { runtimeSource } from './lambda/runtime.ts';
import type { LateLine } from './lambda/worker.ts';
import { openWorkerPool } from './lambda/workerPool.ts';

export interface LocalLambda extends Service {
  reseal(): Promise<void>;
}

interface NewFunction {
  FunctionName: string;
  Description?: string;
  MemorySize?: number;
  Timeout?: number;
  Environment?: { Variables?: Record<string, string> };
  Code: { ZipFile: string };
}
const PATH = /^\/20\d\d-\d\d-\d\d\/functions\/?([^/]*)(?:\/(.+))?$/;

/**
 * @param current environment variables that override stored ones, such as the platform's current URL
 * @param onLateOutput receives the variables of a function that prints without a call
 */
export async function startLambda(
  keptIn?: string,
  current: () => Record<string, string> = () => ({}),
  onLateOutput: (variables: Record<string, string>, line: LateLine) => void = () => {},
): Promise<LocalLambda> {
  const root = keptIn ?? (await mkdtemp(join(tmpdir(), 'parley-functions-')));
  await mkdir(root, { recursive: true, mode: 0o700 });
  const store = openFunctionStore(root);
  const pool = openWorkerPool(store.directoryOf, current, onLateOutput);
  const calls = new Map<string, number>();

  async function create(input: NewFunction): Promise<Reply> {
    const { FunctionName: name, Description = '', MemorySize = 128, Timeout = 3, Environment, Code } = input;
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
      return rejectRequest(400, 'InvalidParameterValueException', 'FunctionName');
    if (await store.find(name))
      return rejectRequest(409, 'ResourceConflictException', `Function already exist: ${name}`);
    const variables: Record<string, string> = Environment?.Variables ?? {};
    if (Object.entries(variables).join('').length > 4_096) {
      return rejectRequest(400, 'InvalidParameterValueException', 'The environment variables exceed 4 KB');
    }
    const code = unzipSync(Buffer.from(Code.ZipFile, 'base64'));
    await store.writeCode(name, { ...code, 'runtime.cjs': runtimeSource });
    const configuration: Configuration = {
      FunctionName: name,
      Description,
      MemorySize,
      Timeout,
      LastModified: new Date(clock.now()).toISOString(),
      State: 'Active',
    };
    // Written last, because the configuration makes the function exist.
    store.put(name, { configuration, sealedVariables: sealVariables(name, variables) });
    return { status: 201, body: configuration };
  }

  async function reserve(name: string, ReservedConcurrentExecutions: number): Promise<Reply> {
    const found = await store.find(name);
    if (!found) return missing(name);
    store.put(name, { ...found, configuration: { ...found.configuration, ReservedConcurrentExecutions } });
    return { status: 200, body: { ReservedConcurrentExecutions } };
  }

  async function remove(name: string): Promise<Reply> {
    if (!(await store.find(name))) return missing(name);
    await store.remove(name);
    pool.end(name);
    await store.removeCode(name);
    return { status: 204, body: undefined };
  }

  async function invoke(name: string, event: unknown): Promise<Reply> {
    const found = await store.find(name);
    if (!found) return missing(name);
    const reserved = found.configuration.ReservedConcurrentExecutions ?? Number.POSITIVE_INFINITY;
    const called = calls.get(name) ?? 0;
    if (called >= reserved) return rejectRequest(429, 'TooManyRequestsException', 'Rate Exceeded.');
    calls.set(name, called + 1);
    const { payload, functionError, tail } = await pool
      .call(name, found, event)
      .finally(() => calls.set(name, calls.get(name)! - 1));
    return {
      status: 200,
      text: payload,
      headers: {
        'x-amz-executed-version': '$LATEST',
        'x-amz-log-result': tail.toString('base64'),
        ...(functionError ? { 'x-amz-function-error': functionError } : {}),
      },
    };
  }

  async function handle(request: IncomingMessage): Promise<Reply> {
    const { pathname } = new URL(request.url!, 'http://localhost');
    const [, name = '', action] = PATH.exec(pathname) ?? [];
    if (!PATH.test(pathname)) return rejectRequest(404, 'ResourceNotFoundException', pathname);
    const body = await text(request);
    const input = body === '' ? {} : JSON.parse(body);
    switch (`${request.method} ${action ?? (name ? 'one' : 'all')}`) {
      case 'POST all':
        return create(input);
      case 'GET one':
      case 'GET configuration': {
        const found = await store.find(name);
        if (!found) return missing(name);
        return { status: 200, body: action ? found.configuration : { Configuration: found.configuration } };
      }
      case 'DELETE one':
        return remove(name);
      case 'PUT concurrency':
        return reserve(name, input.ReservedConcurrentExecutions);
      case 'POST invocations':
        return invoke(name, input);
      default:
        return rejectRequest(404, 'ResourceNotFoundException', `${request.method} ${pathname}`);
    }
  }

  const server = createServer(async (request, response) => {
    try {
      send(response, await handle(request));
    } catch (error) {
      log.error('The local Lambda failed.', { error: errorFields(error) });
      send(response, rejectRequest(500, 'ServiceException', 'See the log.'));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reseal: store.reseal,
    stop: async () => {
      await pool.stop();
      server.closeAllConnections();
      server.close();
      if (!keptIn) await rm(root, { recursive: true, force: true });
    },
  };
}

interface Reply {
  status: number;
  body?: unknown;
  text?: string;
  headers?: Record<string, string>;
}

const rejectRequest = (status: number, type: string, message: string): Reply => ({
  status,
  body: { Type: 'User', Message: message, message },
  headers: { 'x-amzn-errortype': type },
});
const missing = (name: string) => rejectRequest(404, 'ResourceNotFoundException', `Function not found: ${name}`);

function send(response: ServerResponse, { status, body, text: payload, headers }: Reply): void {
  const content = payload ?? (body === undefined ? '' : JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(content);
}
