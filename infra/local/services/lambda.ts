/** Local AWS Lambda for deployed code. Processes of functions start on demand and exit when idle. */

import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import { replaceFile } from '#infra/local/replaceFile.ts';
import { clock } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { isSealedWithCurrentKey, openText, sealText } from '#shared/storage/dynamodb/secrets/sealed.ts';
import { type CpuShare, startCpuShare } from './lambda/cpuShare.ts';
import { runtimeSource } from './lambda/runtime.ts';
import { startWorker, type Worker, type WorkerResult } from './lambda/worker.ts';
import type { Service } from './service.ts';

export interface LocalLambda extends Service {
  reseal(): Promise<void>;
}

interface Configuration {
  FunctionName: string;
  Description: string;
  MemorySize: number;
  Timeout: number;
  LastModified: string;
  State: 'Active';
  ReservedConcurrentExecutions?: number;
}
interface NewFunction {
  FunctionName: string;
  Description?: string;
  MemorySize?: number;
  Timeout?: number;
  Environment?: { Variables?: Record<string, string> };
  Code: { ZipFile: string };
}
const variablesOf = (functionName: string) => ({ owner: functionName, field: 'variables' }) as const;

interface Stored {
  configuration: Configuration;
  /** Sealed, because the variables contain secrets. */
  sealedVariables: string;
}

/** Maximum processes of one function. Each runs one call at a time. */
const WORKERS_A_FUNCTION = 5;
const IDLE_MS = 30_000;
const PATH = /^\/20\d\d-\d\d-\d\d\/functions\/?([^/]*)(?:\/(.+))?$/;
const CONFIGURATION_FILE = 'function.json';

interface Running {
  worker: Worker;
  idle: NodeJS.Timeout | undefined;
}

/** @param current environment variables that override stored ones, such as the platform's current URL */
export async function startLambda(
  keptIn?: string,
  current: () => Record<string, string> = () => ({}),
): Promise<LocalLambda> {
  const root = keptIn ?? (await mkdtemp(join(tmpdir(), 'parley-functions-')));
  await mkdir(root, { recursive: true, mode: 0o700 });
  const running = new Map<string, Set<Running>>();
  const waiting = new Map<string, (() => void)[]>();
  const calls = new Map<string, number>();
  /** Functions whose last call ended its process. They run one call at a time, because starting Node is expensive. */
  const ending = new Set<string>();
  const shares = new Map<string, CpuShare>();
  const shareOf = (name: string) => {
    const share = shares.get(name) ?? startCpuShare();
    shares.set(name, share);
    return share;
  };

  const directoryOf = (name: string) => join(root, name);
  const read = new Map<string, Stored>();
  const stored = async (name: string): Promise<Stored | undefined> => {
    const known = read.get(name);
    if (known) return known;
    try {
      const found: Stored = JSON.parse(await readFile(join(directoryOf(name), CONFIGURATION_FILE), 'utf8'));
      read.set(name, found);
      return found;
    } catch {
      return undefined;
    }
  };
  const store = (name: string, kept: Stored) => {
    replaceFile(join(directoryOf(name), CONFIGURATION_FILE), JSON.stringify(kept), { mode: 0o600 });
    read.set(name, kept);
  };

  async function reseal(): Promise<void> {
    for (const name of await readdir(root)) {
      const found = await stored(name);
      if (!found || isSealedWithCurrentKey(found.sealedVariables)) continue;
      const variables = openText(found.sealedVariables, variablesOf(name));
      store(name, { ...found, sealedVariables: sealText(variables, variablesOf(name)) });
    }
  }

  async function create(input: NewFunction): Promise<Reply> {
    const { FunctionName: name, Description = '', MemorySize = 128, Timeout = 3, Environment, Code } = input;
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
      return rejectRequest(400, 'InvalidParameterValueException', 'FunctionName');
    if (await stored(name)) return rejectRequest(409, 'ResourceConflictException', `Function already exist: ${name}`);
    const variables: Record<string, string> = Environment?.Variables ?? {};
    if (Object.entries(variables).join('').length > 4_096) {
      return rejectRequest(400, 'InvalidParameterValueException', 'The environment variables exceed 4 KB');
    }
    const directory = directoryOf(name);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    for (const [file, content] of Object.entries(unzipSync(Buffer.from(Code.ZipFile, 'base64')))) {
      await writeFile(join(directory, file), content);
    }
    await writeFile(join(directory, 'runtime.cjs'), runtimeSource);
    const configuration: Configuration = {
      FunctionName: name,
      Description,
      MemorySize,
      Timeout,
      LastModified: new Date(clock.now()).toISOString(),
      State: 'Active',
    };
    const kept: Stored = { configuration, sealedVariables: sealText(JSON.stringify(variables), variablesOf(name)) };
    // Written last, because this file makes the function exist.
    store(name, kept);
    return { status: 201, body: configuration };
  }

  async function reserve(name: string, ReservedConcurrentExecutions: number): Promise<Reply> {
    const found = await stored(name);
    if (!found) return missing(name);
    const kept: Stored = { ...found, configuration: { ...found.configuration, ReservedConcurrentExecutions } };
    store(name, kept);
    return { status: 200, body: { ReservedConcurrentExecutions } };
  }

  async function remove(name: string): Promise<Reply> {
    if (!(await stored(name))) return missing(name);
    await rm(join(directoryOf(name), CONFIGURATION_FILE), { force: true });
    read.delete(name);
    for (const { worker } of running.get(name) ?? []) worker.end();
    ending.delete(name);
    shares.delete(name);
    await rm(directoryOf(name), { recursive: true, force: true });
    return { status: 204, body: undefined };
  }

  async function invoke(name: string, event: unknown): Promise<Reply> {
    const found = await stored(name);
    if (!found) return missing(name);
    const reserved = found.configuration.ReservedConcurrentExecutions ?? Number.POSITIVE_INFINITY;
    const called = calls.get(name) ?? 0;
    if (called >= reserved) return rejectRequest(429, 'TooManyRequestsException', 'Rate Exceeded.');
    calls.set(name, called + 1);
    const { payload, functionError, tail } = await onWorker(name, found, event).finally(() =>
      calls.set(name, calls.get(name)! - 1),
    );
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

  async function onWorker(
    name: string,
    { configuration, sealedVariables }: Stored,
    event: unknown,
  ): Promise<WorkerResult> {
    const workers = running.get(name) ?? new Set();
    running.set(name, workers);
    for (;;) {
      let free = [...workers].find(({ worker }) => !worker.isBusy);
      if (!free && workers.size < (ending.has(name) ? 1 : WORKERS_A_FUNCTION)) {
        const started: Running = {
          idle: undefined,
          worker: startWorker({
            directory: directoryOf(name),
            variables: { ...JSON.parse(openText(sealedVariables, variablesOf(name))), ...current() },
            memoryMb: configuration.MemorySize,
            timeoutSeconds: configuration.Timeout,
            cpu: shareOf(name),
            makesWay: ending.has(name) || shareOf(name).isSpent(),
          }),
        };
        workers.add(started);
        started.worker.ended.then(() => {
          clearTimeout(started.idle);
          workers.delete(started);
          waiting.get(name)?.shift()?.();
        });
        free = started;
      }
      if (!free) {
        const queue = waiting.get(name) ?? [];
        waiting.set(name, queue);
        await new Promise<void>(resolve => queue.push(resolve));
        continue;
      }
      clearTimeout(free.idle);
      const answer = await free.worker.call(event);
      if (answer.functionError) ending.add(name);
      else ending.delete(name);
      free.idle = setTimeout(() => free.worker.end(), IDLE_MS).unref();
      waiting.get(name)?.shift()?.();
      return answer;
    }
  }

  async function answer(request: IncomingMessage): Promise<Reply> {
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
        const found = await stored(name);
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
      send(response, await answer(request));
    } catch (error) {
      log.error('The local Lambda failed.', { error: errorFields(error) });
      send(response, rejectRequest(500, 'ServiceException', 'See the log.'));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reseal,
    stop: async () => {
      const all = [...running.values()].flatMap(workers => [...workers]);
      for (const { worker } of all) worker.end();
      await Promise.all(all.map(({ worker }) => worker.ended));
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
