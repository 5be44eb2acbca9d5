import {
  CreateFunctionCommand,
  DeleteFunctionCommand,
  GetFunctionCommand,
  InvokeCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
  ResourceConflictException,
  ResourceNotFoundException,
  TooManyRequestsException,
  waitUntilFunctionActiveV2,
} from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { tryParseExactly } from '#shared/core/parseExactly.ts';
import { sdkLogger } from '#shared/core/sdkLogger.ts';
import { FAILURE_CHARACTERS, FAILURE_MARK } from './failureLine.ts';

const lambda = new LambdaClient({ logger: sdkLogger });

export interface NewFunction {
  name: string;
  description: string;
  zip: Uint8Array;
  variables: Record<string, string>;
  tags: Record<string, string>;
  memoryMb: number;
  timeoutSeconds: number;
  concurrency: number | undefined;
}

const ACTIVE_WITHIN_SECONDS = 60;

/** Creates a function and waits until it is active. Keeps an existing one, because its name identifies its content. */
export async function createFunction({
  name,
  description,
  zip,
  variables,
  tags,
  memoryMb,
  timeoutSeconds,
  concurrency,
}: NewFunction): Promise<void> {
  try {
    await lambda.send(
      new CreateFunctionCommand({
        FunctionName: name,
        Description: description,
        Role: environment.codeRoleArn,
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        Code: { ZipFile: zip },
        Environment: { Variables: variables },
        Tags: tags,
        KMSKeyArn: environment.codeKmsKeyArn,
        MemorySize: memoryMb,
        Timeout: timeoutSeconds,
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceConflictException)) throw error;
  }
  if (concurrency !== undefined) {
    await lambda.send(
      new PutFunctionConcurrencyCommand({ FunctionName: name, ReservedConcurrentExecutions: concurrency }),
    );
  }
  await untilActive(name);
}

async function untilActive(FunctionName: string): Promise<void> {
  try {
    await waitUntilFunctionActiveV2(
      { client: lambda, maxWaitTime: ACTIVE_WITHIN_SECONDS, minDelay: 1, maxDelay: 2 },
      { FunctionName },
    );
  } catch (error) {
    const { Configuration } = await lambda.send(new GetFunctionCommand({ FunctionName }));
    if (Configuration?.State !== 'Failed') throw error;
    throw new FailedFunction(`Its state is Failed: ${Configuration.StateReason}`);
  }
}

class FailedFunction extends Error {
  override readonly name = 'FailedFunction';
}

/** Transient client errors: throttling, concurrent changes, and expired credentials. */
const PASSING = new Set([
  'ExpiredTokenException',
  'RequestExpired',
  'RequestLimitExceeded',
  'ResourceConflictException',
  // The function is being deleted.
  'ResourceNotFoundException',
  'ThrottlingException',
  'TooManyRequestsException',
]);

/**
 * Returns true for an error of {@link createFunction} that no retry fixes: limits of Lambda or of the account, a policy
 * that denies it, or a key that cannot be used. Lambda reports the latter as its own fault.
 */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof FailedFunction || error.name.startsWith('KMS')) return true;
  return (error as { $fault?: string }).$fault === 'client' && !PASSING.has(error.name);
}

export async function removeFunction(name: string): Promise<void> {
  try {
    await lambda.send(new DeleteFunctionCommand({ FunctionName: name }));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
}

export type Invocation =
  | { kind: 'answered'; payload: unknown }
  | { kind: 'timedOut'; tail: string }
  | { kind: 'left' }
  | { kind: 'crashed'; reason: string; tail: string }
  | { kind: 'busy' }
  | { kind: 'missing' };

export async function invokeFunction(
  name: string,
  payload: unknown,
  waitMs: number,
  ended?: AbortSignal,
): Promise<Invocation> {
  using limit = clock.limit(waitMs);
  const abortSignal = ended ? AbortSignal.any([limit.signal, ended]) : limit.signal;
  try {
    const { FunctionError, Payload, LogResult } = await lambda.send(
      new InvokeCommand({ FunctionName: name, Payload: JSON.stringify(payload), LogType: 'Tail' }),
      { abortSignal },
    );
    const answer = tryParseExactly(Payload?.transformToString() ?? '');
    if (!FunctionError) return { kind: 'answered', payload: answer };
    return crashOf(answer, Buffer.from(LogResult ?? '', 'base64').toString());
  } catch (error) {
    if (error instanceof TooManyRequestsException) return { kind: 'busy' };
    if (error instanceof ResourceNotFoundException) return { kind: 'missing' };
    if ((error as Error).name === 'AbortError') return { kind: 'left' };
    throw error;
  }
}

/** Separates the line with which deployed code states its failure from its other output. */
function splitFailure(output: string): { tail: string; failure?: string } {
  const lines = output.split('\n');
  const at = lines.findLastIndex(line => line.startsWith(FAILURE_MARK));
  if (at < 0) return { tail: output };
  const failure = tryParseExactly(lines[at]!.slice(FAILURE_MARK.length));
  const tail = lines.toSpliced(at, 1).join('\n');
  return typeof failure === 'string' ? { tail, failure: startOf(failure, FAILURE_CHARACTERS) } : { tail };
}

const ERROR_CHARACTERS = 1_000;
const ErrorText = z.catch(
  z.pipe(
    z.string(),
    z.transform(text => startOf(text, ERROR_CHARACTERS)),
  ),
  '',
);
const FunctionFailure = z.catch(z.object({ errorType: ErrorText, errorMessage: ErrorText }), {
  errorType: '',
  errorMessage: '',
});

function crashOf(error: unknown, output: string): Invocation {
  const { tail, failure } = splitFailure(output);
  if (failure !== undefined) return { kind: 'crashed', reason: failure, tail };
  const { errorType, errorMessage } = FunctionFailure.parse(error);
  const text = `${errorType} ${errorMessage}`;
  if (/timed ?out/i.test(text)) return { kind: 'timedOut', tail };
  const exit = /exit status (\d+)/.exec(text);
  const reason = /OutOfMemory|signal: killed|heap out of memory/i.test(`${text} ${tail}`)
    ? 'The code ran out of memory'
    : exit
      ? `The code exited its process (exit status ${exit[1]})`
      : /UnhandledPromiseRejection/.test(text)
        ? `A rejected promise was not handled: ${errorMessage}`
        : `The code failed with an error: ${errorMessage || errorType || 'no message'}`;
  return { kind: 'crashed', reason, tail };
}
