/** Local AWS Lambda for deployed code. */

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import * as z from 'zod/mini';
import type { Service } from '#infra/local/runtime/service.ts';
import { clock } from '#shared/core/clock.ts';
import { parseInput, Rejection, type Reply, type StandInRequest, startStandIn } from './access/startStandIn.ts';
import { type Configuration, openFunctionStore, type Stored, sealVariables } from './lambda/functionStore.ts';
import type { LateLine } from './lambda/lambdaWorker.ts';
import { runtimeSource } from './lambda/runtime.ts';
import { openWorkerPool } from './lambda/workerPool.ts';

export interface LocalLambda extends Service {
  reseal(): Promise<void>;
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const TAG_TEXT = z.string().check(z.regex(/^[\p{L}\p{Z}\p{N}_.:/=+@-]*$/u), z.maxLength(256));
const TAG_KEY = TAG_TEXT.check(z.minLength(1), z.maxLength(128));
const NewFunction = z.object({
  FunctionName: z.string().check(z.regex(NAME)),
  Description: z._default(z.string(), ''),
  MemorySize: z._default(z.int().check(z.minimum(128), z.maximum(10_240)), 128),
  Timeout: z._default(z.int().check(z.minimum(1), z.maximum(900)), 3),
  Environment: z.optional(z.object({ Variables: z.optional(z.record(z.string(), z.string())) })),
  Code: z.object({ ZipFile: z.base64() }),
  Tags: z._default(z.record(TAG_KEY, TAG_TEXT), {}),
});
const Concurrency = z.object({ ReservedConcurrentExecutions: z.int().check(z.minimum(0)) });

/** Names of code files. Excludes the store's own files, and paths, which could leave the function's folder. */
const CODE_FILE_NAME = /^(?!function\.json$|runtime\.cjs$)[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;
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

  async function create(input: unknown): Promise<Reply> {
    const {
      FunctionName: name,
      Description,
      MemorySize,
      Timeout,
      Environment,
      Code,
      Tags,
    } = parseInput(NewFunction, input);
    if (await store.find(name))
      throw new Rejection(409, 'ResourceConflictException', `Function already exist: ${name}`);
    const variables: Record<string, string> = Environment?.Variables ?? {};
    if (Object.entries(variables).join('').length > 4_096) throw invalid('The environment variables exceed 4 KB');
    const code = unpack(Code.ZipFile);
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
    store.put(name, { configuration, tags: Tags, sealedVariables: sealVariables(name, variables) });
    return { status: 201, body: configuration };
  }

  async function reserve(name: string, input: unknown): Promise<Reply> {
    const { ReservedConcurrentExecutions } = parseInput(Concurrency, input);
    const found = await findFunction(name);
    store.put(name, { ...found, configuration: { ...found.configuration, ReservedConcurrentExecutions } });
    return { status: 200, body: { ReservedConcurrentExecutions } };
  }

  async function remove(name: string): Promise<Reply> {
    await findFunction(name);
    await store.remove(name);
    pool.end(name);
    await store.removeCode(name);
    return { status: 204, body: undefined };
  }

  async function invoke(name: string, event: unknown): Promise<Reply> {
    const found = await findFunction(name);
    const reserved = found.configuration.ReservedConcurrentExecutions ?? Number.POSITIVE_INFINITY;
    const called = calls.get(name) ?? 0;
    if (called >= reserved) throw new Rejection(429, 'TooManyRequestsException', 'Rate Exceeded.');
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

  async function findFunction(name: string): Promise<Stored> {
    const found = NAME.test(name) && (await store.find(name));
    if (!found) throw new Rejection(404, 'ResourceNotFoundException', `Function not found: ${name}`);
    return found;
  }

  async function handle({ method, pathname, input }: StandInRequest): Promise<Reply> {
    const [, name = '', action] = PATH.exec(pathname) ?? [];
    if (!PATH.test(pathname)) throw new Rejection(404, 'ResourceNotFoundException', pathname);
    switch (`${method} ${action ?? (name ? 'one' : 'all')}`) {
      case 'POST all':
        return create(input);
      case 'GET one':
      case 'GET configuration': {
        const found = await findFunction(name);
        const { configuration, tags = {} } = found;
        return { status: 200, body: action ? configuration : { Configuration: configuration, Tags: tags } };
      }
      case 'DELETE one':
        return remove(name);
      case 'PUT concurrency':
        return reserve(name, input);
      case 'POST invocations':
        return invoke(name, input);
      default:
        throw new Rejection(404, 'ResourceNotFoundException', `${method} ${pathname}`);
    }
  }

  const { endpoint, stop } = await startStandIn('lambda', handle);
  return {
    endpoint,
    reseal: store.reseal,
    stop: async () => {
      await pool.stop();
      await stop();
      if (!keptIn) await rm(root, { recursive: true, force: true });
    },
  };
}

const invalid = (message: string) => new Rejection(400, 'InvalidParameterValueException', message);

function unpack(zip: string): Record<string, Uint8Array> {
  let code: Record<string, Uint8Array>;
  try {
    code = unzipSync(Buffer.from(zip, 'base64'));
  } catch {
    throw invalid('Could not unzip uploaded file. Please check your file, then try to upload again.');
  }
  const wrong = Object.keys(code).find(name => !CODE_FILE_NAME.test(name));
  if (wrong !== undefined)
    throw invalid(`The file name ${JSON.stringify(wrong)} is not allowed. Use a plain file name.`);
  return code;
}
