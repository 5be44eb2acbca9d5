/** Kills functions during their work, as a crash or timeout does: the invocation fails, and its work stops. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { SQSClient } from '@aws-sdk/client-sqs';
import { vi } from 'vitest';
import { client } from '#shared/storage/dynamodb/engine/client.ts';
import { random } from './seed.ts';

interface Life {
  /** Remaining SDK calls until its crash. */
  callsLeft: number;
  end(): void;
}

const lives = new AsyncLocalStorage<Life>();
const never = new Promise<never>(() => {});

/** Crashes before or after the fatal call, with equal probability. */
async function live<T>(call: () => Promise<T>): Promise<T> {
  const life = lives.getStore();
  if (!life || --life.callsLeft > 0) return call();
  if (life.callsLeft === 0) {
    if (random() < 0.5) await call().catch(() => {});
    life.end();
  }
  return never;
}

interface Killable {
  // biome-ignore lint/suspicious/noExplicitAny: the handler of any consumer
  handle(event: any, context: any): Promise<void>;
}

/**
 * Kills a share of a consumer's invocations at one of their calls of DynamoDB or SQS.
 * @returns the number of kills so far, and a function that ends them
 */
export function killing(consumers: readonly Killable[], share: number, longestLife = 12) {
  let kills = 0;
  client.middlewareStack.add(next => args => live(() => next(args)), {
    step: 'initialize',
    name: 'kills',
    override: true,
  });
  const send = SQSClient.prototype.send;
  const spies = [
    vi.spyOn(SQSClient.prototype, 'send').mockImplementation(function (this: SQSClient, ...args: unknown[]) {
      return live(() => send.apply(this, args as never) as unknown as Promise<void>);
    }),
    ...consumers.map(consumer => {
      const handle = consumer.handle;
      return vi.spyOn(consumer, 'handle').mockImplementation((event, context) => {
        if (random() >= share) return handle(event, context);
        return new Promise((resolve, reject) => {
          const end = () => {
            kills++;
            reject(new Error('Killed by the test.'));
          };
          const life = { callsLeft: 1 + Math.floor(random() * longestLife), end };
          lives.run(life, () => handle(event, context)).then(resolve, reject);
        });
      });
    }),
  ];
  return {
    count: () => kills,
    stop: () => {
      for (const spy of spies) spy.mockRestore();
      client.middlewareStack.remove('kills');
    },
  };
}
