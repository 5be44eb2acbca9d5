/**
 * AWS Lambda as the engine of deployed code: makes, calls and removes functions. The same client talks to the local
 * platform.
 */

import {
  CreateFunctionCommand,
  DeleteFunctionCommand,
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
import { sdkLogger } from '#shared/core/sdkLogger.ts';

const lambda = new LambdaClient({ logger: sdkLogger });

export interface NewFunction {
  name: string;
  description: string;
  zip: Uint8Array;
  variables: Record<string, string>;
  memoryMb: number;
  timeoutSeconds: number;
  /** Calls at a time, which the account then keeps for it; undefined for as many as the account has left. */
  concurrency: number | undefined;
}

const ACTIVE_WITHIN_SECONDS = 60;

/**
 * Makes a function and waits until it can be called. One that is there already stays as it is: its name names its
 * content.
 */
export async function createFunction({
  name,
  description,
  zip,
  variables,
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
  await waitUntilFunctionActiveV2(
    { client: lambda, maxWaitTime: ACTIVE_WITHIN_SECONDS, minDelay: 1, maxDelay: 2 },
    { FunctionName: name },
  );
}

/** Removes a function, if it is there. */
export async function removeFunction(name: string): Promise<void> {
  try {
    await lambda.send(new DeleteFunctionCommand({ FunctionName: name }));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
}

/** What came of a call. */
export type Invocation =
  /** `payload` is what the function's process sent: undefined if that was no JSON. */
  | { kind: 'answered'; payload: unknown }
  /** The function's time was up. `tail` is the end of what it printed. */
  | { kind: 'timedOut'; tail: string }
  /** It had not answered when the caller's time was up, and may still run. */
  | { kind: 'left' }
  /** Its process ended. */
  | { kind: 'crashed'; reason: string; tail: string }
  /** As many calls run as may. */
  | { kind: 'busy' }
  | { kind: 'missing' };

/** Calls a function and waits for its answer. @param waitMs for so long at most */
export async function invokeFunction(name: string, payload: unknown, waitMs: number): Promise<Invocation> {
  using limit = clock.limit(waitMs);
  try {
    const { FunctionError, Payload, LogResult } = await lambda.send(
      new InvokeCommand({ FunctionName: name, Payload: JSON.stringify(payload), LogType: 'Tail' }),
      { abortSignal: limit.signal },
    );
    const answer = parsed(Payload?.transformToString() ?? '');
    if (!FunctionError) return { kind: 'answered', payload: answer };
    return crashOf(answer, Buffer.from(LogResult ?? '', 'base64').toString());
  } catch (error) {
    if (error instanceof TooManyRequestsException) return { kind: 'busy' };
    if (error instanceof ResourceNotFoundException) return { kind: 'missing' };
    if ((error as Error).name === 'AbortError') return { kind: 'left' };
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const ERROR_CHARACTERS = 1_000;
const ErrorText = z.catch(
  z.pipe(
    z.string(),
    z.transform(text => text.slice(0, ERROR_CHARACTERS).toWellFormed()),
  ),
  '',
);
/** An error as Lambda reports it. The process of the code can send it too, in any form. */
const FunctionFailure = z.catch(z.object({ errorType: ErrorText, errorMessage: ErrorText }), {
  errorType: '',
  errorMessage: '',
});

/** Translates Lambda's errors for the author of the code. */
function crashOf(error: unknown, tail: string): Invocation {
  const { errorType, errorMessage } = FunctionFailure.parse(error);
  const text = `${errorType} ${errorMessage}`;
  if (/timed ?out/i.test(text)) return { kind: 'timedOut', tail };
  const exit = /exit status (\d+)/.exec(text);
  const reason = /OutOfMemory|signal: killed|heap out of memory/i.test(`${text} ${tail}`)
    ? 'The code ran out of memory'
    : exit
      ? `The code ended its own process (exit status ${exit[1]})`
      : /UnhandledPromiseRejection/.test(text)
        ? `A promise was rejected and nothing handled it: ${errorMessage}`
        : `The code ended with an error: ${errorMessage || errorType || 'it reported none'}`;
  return { kind: 'crashed', reason, tail };
}
