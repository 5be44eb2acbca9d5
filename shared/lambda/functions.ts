/** AWS Lambda as the engine of deployed code: makes, calls and removes functions. The same client talks to the local platform. */
import {
  CreateFunctionCommand,
  DeleteFunctionCommand,
  InvokeCommand,
  LambdaClient,
  ResourceConflictException,
  ResourceNotFoundException,
  TooManyRequestsException,
  waitUntilFunctionActiveV2,
} from '@aws-sdk/client-lambda';
import { environment } from '#shared/environment.ts';

const lambda = new LambdaClient({});

export interface NewFunction {
  name: string;
  description: string;
  zip: Uint8Array;
  variables: Record<string, string>;
  memoryMb: number;
  timeoutSeconds: number;
}

const ACTIVE_WITHIN_SECONDS = 60;

/** Makes a function and waits until it can be called. One that is there already stays as it is: its name names its content. */
export async function createFunction({
  name,
  description,
  zip,
  variables,
  memoryMb,
  timeoutSeconds,
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
        MemorySize: memoryMb,
        Timeout: timeoutSeconds,
        LoggingConfig: { LogGroup: environment.codeLogGroup },
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceConflictException)) throw error;
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
  | { kind: 'answered'; payload: unknown }
  /** The function's time was up. `tail` is the end of what it printed. */
  | { kind: 'timedOut'; tail: string }
  /** Its process ended. */
  | { kind: 'crashed'; reason: string; tail: string }
  /** As many calls run as may. */
  | { kind: 'busy' }
  | { kind: 'missing' };

/** Beyond the function's own time, which ends a call with a better answer. */
const GRACE_MS = 5_000;

/** Calls a function and waits for its answer. @param timeoutMs of the function */
export async function invokeFunction(name: string, payload: unknown, timeoutMs: number): Promise<Invocation> {
  try {
    const { FunctionError, Payload, LogResult } = await lambda.send(
      new InvokeCommand({ FunctionName: name, Payload: JSON.stringify(payload), LogType: 'Tail' }),
      { abortSignal: AbortSignal.timeout(timeoutMs + GRACE_MS) },
    );
    const answer = JSON.parse(Payload?.transformToString() || 'null');
    if (!FunctionError) return { kind: 'answered', payload: answer };
    return crashOf(answer, Buffer.from(LogResult ?? '', 'base64').toString());
  } catch (error) {
    if (error instanceof TooManyRequestsException) return { kind: 'busy' };
    if (error instanceof ResourceNotFoundException) return { kind: 'missing' };
    if ((error as Error).name === 'AbortError') return { kind: 'timedOut', tail: '' };
    throw error;
  }
}

/** Says what Lambda's errors mean for the author of the code. */
function crashOf({ errorType = '', errorMessage = '' }: Record<string, string>, tail: string): Invocation {
  const text = `${errorType} ${errorMessage}`;
  if (/timed ?out/i.test(text)) return { kind: 'timedOut', tail };
  const exit = /exit status (\d+)/.exec(text);
  const reason = /OutOfMemory|signal: killed|heap out of memory/i.test(`${text} ${tail}`)
    ? 'The code ran out of memory'
    : exit
      ? `The code ended its own process (exit status ${exit[1]})`
      : /UnhandledPromiseRejection/.test(text)
        ? `A promise was rejected and nothing handled it: ${errorMessage}`
        : `The code ended with an error: ${errorMessage || errorType}`;
  return { kind: 'crashed', reason, tail };
}
