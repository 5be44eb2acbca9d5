import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { clock } from '#shared/core/clock.ts';

export function lambdaContext(functionName: string, timeoutMs: number): Context {
  const endMs = clock.now() + timeoutMs;
  const awsRequestId = randomUUID();
  return {
    functionName,
    awsRequestId,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
    memoryLimitInMB: '1024',
    logGroupName: functionName,
    logStreamName: awsRequestId,
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, endMs - clock.now()),
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
}
