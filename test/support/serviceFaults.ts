/** Injects faults of AWS below the SDK's retries: before a call is sent or after it took effect. */

import {
  InternalServerError,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { vi } from 'vitest';
import { currentFunction } from '#infra/local/services/tableGuard.ts';
import { client } from '#shared/storage/dynamodb/engine/client.ts';
import { random } from './seed.ts';

export interface ServiceFaults {
  /** Number of faults by kind. */
  counts: Record<string, number>;
  /** Sets the share of calls that fail. */
  setShare(share: number): void;
  stop(): void;
}

type Service = 'DynamoDB' | 'S3' | 'SQS';

const answered = (name: string, message: string, status: number, fault: 'client' | 'server') =>
  Object.assign(new Error(message), { name, $fault: fault, $metadata: { httpStatusCode: status } });
const cut = (code: string) => Object.assign(new Error(code), { code });

const metadata = (status: number) => ({ $metadata: { httpStatusCode: status } });
const COMMON = {
  refused: () => cut('ECONNREFUSED'),
  unavailable: () => answered('ServiceUnavailable', 'Service is away.', 503, 'server'),
};
const FAULTS: Record<Service, Record<string, () => Error>> = {
  DynamoDB: {
    ...COMMON,
    throughput: () => answered('ProvisionedThroughputExceededException', 'Slow down.', 400, 'client'),
    throttled: () => answered('ThrottlingException', 'Slow down.', 400, 'client'),
    internal: () => new InternalServerError({ message: 'Failed.', ...metadata(500) }),
  },
  S3: {
    ...COMMON,
    slowDown: () =>
      new S3ServiceException({ name: 'SlowDown', message: 'Slow down.', $fault: 'server', ...metadata(503) }),
  },
  SQS: { ...COMMON, throttled: () => answered('RequestThrottled', 'Slow down.', 400, 'client') },
};

/** Returns the error of a write that conflicts with another write of the same item. */
const conflictOf = (command: string): Error | undefined => {
  if (command.startsWith('TransactWrite')) {
    return new TransactionCanceledException({
      message: 'Transaction cancelled.',
      CancellationReasons: [{ Code: 'TransactionConflict' }],
      ...metadata(400),
    });
  }
  return /^(Put|Update|Delete)Item/.test(command)
    ? new TransactionConflictException({ message: 'Conflict.', ...metadata(400) })
    : undefined;
};

const pick = <T>(some: readonly T[]): T => some[Math.floor(random() * some.length)]!;

/** Injects faults into the calls of functions, not into those of the test. */
export function injectServiceFaults(): ServiceFaults {
  let share = 0;
  const counts: Record<string, number> = {};
  const count = (kind: string) => {
    counts[kind] = (counts[kind] ?? 0) + 1;
  };

  /**
   * Inputs of transactions whose response was lost. DynamoDB recognizes a retry by its token, and no longer rejects it.
   */
  const done = new WeakSet<object>();

  async function pass<T>(service: Service, command: string, input: object, next: () => Promise<T>): Promise<T> {
    if (currentFunction() === undefined || random() >= share) return next();
    const kind = pick([...Object.keys(FAULTS[service]), 'conflict', 'answer lost']);
    const error = kind === 'conflict' ? conflictOf(command) : FAULTS[service][kind]?.();
    if (kind === 'conflict' && (!error || done.has(input))) return next();
    count(`${service} ${kind}`);
    if (error) throw error;
    await next();
    if (command.startsWith('TransactWrite')) done.add(input);
    throw Object.assign(cut('ECONNRESET'), { name: 'TimeoutError' });
  }

  const options = { step: 'finalizeRequest', name: 'serviceFaults', priority: 'low', override: true } as const;
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      args =>
        pass('DynamoDB', commandName, args.input, () => next(args)),
    options,
  );
  const spies = ([S3Client, SQSClient] as const).map(({ prototype }, i) => {
    const send = prototype.send as (...args: unknown[]) => Promise<unknown>;
    return vi.spyOn(prototype as { send: typeof send }, 'send').mockImplementation(function (this: unknown, ...args) {
      const { middlewareStack } = args[0] as { middlewareStack: typeof client.middlewareStack };
      const service = i === 0 ? 'S3' : 'SQS';
      middlewareStack.add(
        (next, { commandName = '' }) =>
          inner =>
            pass(service, commandName, inner.input as object, () => next(inner)),
        options,
      );
      return send.apply(this, args);
    });
  });
  return {
    counts,
    setShare: next => {
      share = next;
    },
    stop: () => {
      for (const spy of spies) spy.mockRestore();
      client.middlewareStack.remove('serviceFaults');
    },
  };
}
